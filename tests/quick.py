"""What a change may have broken, in under a minute: `make quick`. Looks at what differs from main, committed or not.

Two lanes run beside each other: one for Python, one for the console and the contract of the nouns. Everything runs; the
last line names what failed. `make check` and `make test` are the whole.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv/bin"
ALWAYS = (
    "tests/core/kernel/test_catalogue.py",
    "tests/core/access/test_declared_menus.py",
    "tests/contract/test_rights.py::test_the_public_calls_are_these_and_no_others",
    "tests/contract/test_rights.py::test_every_operation_has_a_code_that_a_button_grants",
    "tests/contract/test_wall.py::test_every_id_that_a_call_takes_is_tried",
)
"""Fast tests of what is declared far from where it is used: texts, rights, the wall."""
DRAWINGS = ("tests/bpmn",)
OF_NOUNS = ("test_nouns", "test_wall", "test_rights", "test_lists", "test_mass_assignment", "test_fastlists")
PYTEST: tuple[str | Path, ...] = (BIN / "python", "-m", "pytest", "-q", "--timeout=50")
MOST_FILES = 6
"""So many test files that name a touched module are run; a change of more is for `make test`."""


def changed_files() -> list[str]:
    """Return the paths that differ from main, those that git does not know yet too; deleted ones are left out."""
    base = _git("merge-base", "HEAD", "main") or ["HEAD"]
    paths = {*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")}
    return sorted(path for path in paths if (ROOT / path).exists())


def _git(*words: str) -> list[str]:
    found = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.split() if found.returncode == 0 else []


def touched_nouns(changed: Sequence[str]) -> list[str]:
    """Return the paths of the nouns whose viewset, serializer or model stands in a changed file."""
    import django

    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "core.project.settings"
    django.setup()
    del os.environ["DJANGO_SETTINGS_MODULE"]  # pytest refuses to start where its environment names settings
    from tests.contract.nouns import ledgers, nouns

    modules = {path.removesuffix(".py").replace("/", ".") for path in changed if path.endswith(".py")}
    return [
        noun.path for noun in (*nouns(), *ledgers())
        if modules & {noun.view.__module__, noun.view.serializer_class.__module__, noun.view.queryset.model.__module__}
    ]  # fmt: skip


def python_tests(changed: Sequence[str]) -> list[str]:
    """Return the changed test files, and those that import a changed module, the nearest ones first."""
    tests = {path for path in changed if path.startswith("tests/") and Path(path).name.startswith("test_")}
    modules = {
        path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for path in changed
        if path.endswith(".py") and path.startswith(("core/", "workflows/"))
    }
    candidates = sorted((ROOT / "tests").rglob("test_*.py"), key=lambda path: len(path.parts), reverse=True)
    for path in candidates:
        if len(tests) < MOST_FILES and any(_imports(path, module) for module in modules):
            tests.add(str(path.relative_to(ROOT)))
    if any(path.startswith(("bpmn/", "workflows/workbench/")) for path in changed):
        tests.update(DRAWINGS)
    return sorted(tests)


def _imports(test: Path, module: str) -> bool:
    package, _, name = module.rpartition(".")
    text = test.read_text(encoding="utf-8")
    return f"from {module} import" in text or any(
        line.startswith(f"from {package} import") and name in line.split("import", 1)[1] for line in text.splitlines()
    )


def web_tests(changed: Sequence[str]) -> list[str]:
    """Return the test files of the console that were changed, or stand beside a changed file under its name."""
    found: set[str] = set()
    for path in changed:
        if path.startswith("web/src/") and path.endswith((".ts", ".tsx")):
            stem = ROOT / path.removesuffix(".tsx").removesuffix(".ts").removesuffix(".test")
            found.update(f"{stem}.test{end}" for end in (".ts", ".tsx") if Path(f"{stem}.test{end}").exists())
    return sorted(os.path.relpath(path, ROOT / "web") for path in found)


class Steps:
    """Runs commands, prints each with its seconds, and remembers which failed."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self._printing = threading.Lock()

    def run(self, name: str, command: Sequence[str | Path], folder: Path = ROOT) -> None:
        """Run one command; its output is shown only when it fails."""
        began = time.monotonic()
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"}
        )
        with self._printing:
            word = "ok    " if done.returncode == 0 else "FAILED"
            print(f"  {word}  {name} ({time.monotonic() - began:.0f} s)", flush=True)
            if done.returncode:
                self.failed.append(name)
                print("\n".join(f"          {line}" for line in (done.stdout + done.stderr).splitlines()[-40:]))


def main() -> int:
    """Run both lanes; return the exit code."""
    began, changed, steps = time.monotonic(), changed_files(), Steps()
    print(f"{len(changed)} changed files")
    with tempfile.TemporaryDirectory() as data:
        os.environ["DATA_DIR"] = data
        lanes: list[list[Callable[[Steps, Sequence[str]], None]]] = [[python_lane], [web_lane, contract_lane]]
        threads = [threading.Thread(target=lambda lane=lane: [part(steps, changed) for part in lane]) for lane in lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"{time.monotonic() - began:.0f} s. " + (f"Failed: {', '.join(steps.failed)}" if steps.failed else "All ok."))
    return bool(steps.failed)


def python_lane(steps: Steps, changed: Sequence[str]) -> None:
    """Style, types, arrows and migrations, then the tests that the change touches."""
    sources = [path for path in changed if path.endswith(".py")]
    if sources:
        steps.run("Python style", [BIN / "ruff", "check", *sources])
        steps.run("Python format", [BIN / "ruff", "format", "--check", *sources])
        steps.run("Python types", [BIN / "mypy"])
        steps.run("arrows between packages", [BIN / "lint-imports"])
        steps.run("migrations fit the models", [BIN / "python", "manage.py", "makemigrations", "--check", "--dry-run"])
    steps.run("texts, rights, wall, touched modules", [*PYTEST, *ALWAYS, *python_tests(changed)])


def contract_lane(steps: Steps, changed: Sequence[str]) -> None:
    """What every noun promises, tried on those that the change touches."""
    if any(path.endswith(".py") for path in changed) and (nouns := touched_nouns(changed)):
        files = [f"tests/contract/{name}.py" for name in OF_NOUNS]
        steps.run(f"contract of {', '.join(nouns)}", [*PYTEST, "--nouns", ",".join(nouns), *files])


def web_lane(steps: Steps, changed: Sequence[str]) -> None:
    """Style, types and the tests beside what was changed; types too when only Python was, which writes them."""
    web = ROOT / "web"
    sources = [
        os.path.relpath(ROOT / path, web) for path in changed if path.endswith((".ts", ".tsx", ".mjs", ".css", ".json"))
    ]
    if sources:
        steps.run("web style", ["npx", "--no-install", "biome", "ci", *sources], web)
    cache = web / "node_modules/.cache/quick.tsbuildinfo"
    steps.run("web types", ["npx", "--no-install", "tsc", "--noEmit", "--incremental", "--tsBuildInfoFile", cache], web)
    if tests := web_tests(changed):
        steps.run("web tests beside", ["npx", "--no-install", "vitest", "run", *tests], web)


if __name__ == "__main__":
    sys.exit(main())
