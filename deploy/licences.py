"""Writes docs/licences.md: what runs beside our own code, with versions and licences from installed metadata."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAD = """<!-- Written by deploy/licences.py (make licences); do not edit. -->
# Licences of what Xunwei runs on

Names and versions are those of the locks, licences those that the packages themselves declare.
bpmn-js has a licence of its own: use is free, and the bpmn.io mark on diagrams must stay visible.
"""
Row = tuple[str, str, str]


def python_rows() -> Iterator[Row]:
    """The packages of the run lock that this machine needs."""
    lock = (ROOT / "deploy" / "requirements" / "run.txt").read_text()
    for name, version in re.findall(r"^([\w.-]+)(?:\[[\w,]+])?==([\w.]+)", lock, re.MULTILINE):
        try:
            about = distribution(name).metadata
        except PackageNotFoundError:
            continue  # locked for another Python or system
        classes = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier", []) if line.startswith("License")]
        # Old packages put the whole text into the field; their classifier is short.
        text = about.get("License", "").strip()
        yield name, version, about.get("License-Expression") or (text if 0 < len(text) < 40 else " / ".join(classes))


def npm_rows() -> Iterator[Row]:
    """The packages of the lock that may end up in the built console."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    for path, entry in lock["packages"].items():
        if path and not entry.get("dev") and not entry.get("devOptional"):
            about = json.loads((ROOT / "web" / path / "package.json").read_text())
            yield path.rpartition("node_modules/")[2], entry["version"], about.get("license", "")


def document() -> str:
    """The whole text. Raises SystemExit when a package declares no licence."""
    parts = [HEAD]
    for title, rows in (("Server (Python)", python_rows()), ("Console (npm)", npm_rows())):
        parts.append(f"\n## {title}\n\n| Package | Version | Licence |\n| --- | --- | --- |\n")
        for name, version, licence in sorted(set(rows)):
            if not licence:
                raise SystemExit(f"{name} {version} declares no licence; look at it by hand.")
            parts.append(f"| {name} | {version} | {licence} |\n")
    return "".join(parts)


if __name__ == "__main__":
    file = ROOT / "docs" / "licences.md"
    if "--check" in sys.argv:
        sys.exit(0 if file.exists() and file.read_text() == document() else "docs/licences.md is out of date.")
    file.write_text(document())
