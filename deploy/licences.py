"""Writes docs/licences.md and docs/sbom.json: what runs beside our own code, with versions, licences and hashes.

The second is a software bill of materials in the CycloneDX format. Both come from the locks and from installed
metadata alone, so that the same locks give the same files.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
HEAD = """<!-- Written by deploy/licences.py (make licences); do not edit. -->
# Licences of what Xunwei runs on

Names and versions are those of the locks, licences those that the packages themselves declare.
bpmn-js has a licence of its own: use is free, and the bpmn.io mark on diagrams must stay visible.
"""


@dataclass(frozen=True, order=True)
class Package:
    """A package of a lock."""

    name: str
    version: str
    licence: str
    kind: str
    """pypi or npm."""
    hashes: tuple[tuple[str, str], ...]
    """Algorithm and digest of each file that the lock takes for it."""


def python_packages() -> Iterator[Package]:
    """The packages of the run lock that this machine needs."""
    lock = (ROOT / "deploy" / "requirements" / "run.txt").read_text()
    entry = re.compile(r"^([\w.-]+)(?:\[[\w,]+])?==([\w.]+)((?:.*\\\n)*.*)", re.MULTILINE)
    for name, version, rest in entry.findall(lock):
        try:
            about = distribution(name).metadata
        except PackageNotFoundError:
            continue  # locked for another Python or system
        classes = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier", []) if line.startswith("License")]
        # Old packages put the whole text into the field; their classifier is short.
        text = about.get("License", "").strip()
        licence = about.get("License-Expression") or (text if 0 < len(text) < 40 else " / ".join(classes))
        hashes = tuple(("SHA-256", digest) for digest in sorted(re.findall(r"--hash=sha256:([0-9a-f]{64})", rest)))
        yield Package(name, version, licence, "pypi", hashes)


def npm_packages() -> Iterator[Package]:
    """The packages of the lock that may end up in the built console."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    for path, entry in lock["packages"].items():
        if path and not entry.get("dev") and not entry.get("devOptional"):
            about = json.loads((ROOT / "web" / path / "package.json").read_text())
            algorithm, _, digest = entry["integrity"].partition("-")
            hashes = ((algorithm.upper().replace("SHA", "SHA-"), base64.b64decode(digest).hex()),)
            yield Package(
                path.rpartition("node_modules/")[2], entry["version"], about.get("license", ""), "npm", hashes
            )


def packages() -> dict[str, list[Package]]:
    """Return all packages by the title of their part. Raises SystemExit when a package declares no licence."""
    found = {"Server (Python)": sorted(set(python_packages())), "Console (npm)": sorted(set(npm_packages()))}
    for package in (package for part in found.values() for package in part):
        if not package.licence:
            raise SystemExit(f"{package.name} {package.version} declares no licence; look at it by hand.")
        if not package.hashes:
            raise SystemExit(f"{package.name} {package.version} has no hash in its lock; run make lock.")
    return found


def licences() -> str:
    """Return the text of docs/licences.md."""
    parts = [HEAD]
    for title, rows in packages().items():
        parts.append(f"\n## {title}\n\n| Package | Version | Licence |\n| --- | --- | --- |\n")
        parts += [f"| {one.name} | {one.version} | {one.licence} |\n" for one in rows]
    return "".join(parts)


def sbom() -> str:
    """Return the text of docs/sbom.json."""
    components = [_component(package) for part in packages().values() for package in part]
    own = {"type": "application", "name": "xunwei", "bom-ref": "xunwei"}
    bill = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": own},
        "components": components,
    }  # fmt: skip
    return json.dumps(bill, indent=1, ensure_ascii=False) + "\n"


def _component(package: Package) -> dict[str, object]:
    address = f"pkg:{package.kind}/{quote(package.name, safe='/')}@{package.version}"
    return {
        "type": "library",
        "bom-ref": address,
        "name": package.name,
        "version": package.version,
        "purl": address,
        "licenses": [{"license": {"name": package.licence}}],
        "hashes": [{"alg": algorithm, "content": digest} for algorithm, digest in package.hashes],
    }


if __name__ == "__main__":
    for name, text in (("licences.md", licences()), ("sbom.json", sbom())):
        file = ROOT / "docs" / name
        if "--check" not in sys.argv:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            sys.exit(f"docs/{name} is out of date.")
