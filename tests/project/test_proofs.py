"""The long proofs are run by hand only: at least all that they import is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROOFS = Path(__file__).parent.parent.joinpath("prove").glob("[a-z]*.py")


def test_the_proofs_can_be_begun() -> None:
    names = sorted((path.stem for path in PROOFS), key=lambda name: (name != "inside", name))  # sets Django up
    imports = "; ".join(f"import tests.prove.{name}" for name in names)
    done = subprocess.run([sys.executable, "-c", imports], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
