"""Give a running server of the browser tests the rows and files of the built plant again.

`python -m tests.e2e.anew PLANT DATA_DIR`. A start takes the processor ten times as long.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import redis

FILE = "xunwei.sqlite3"


def put_back(plant: Path, data: Path) -> None:
    """Copy database and files of `plant` over those of `data`, and empty its broker, which also keeps the cache."""
    with closing(sqlite3.connect(plant / FILE)) as kept, closing(sqlite3.connect(data / FILE, timeout=30)) as used:
        kept.backup(used)
    shutil.rmtree(data / "files")
    shutil.copytree(plant / "files", data / "files")
    settings = dict(line.split(maxsplit=1) for line in (data / "broker" / "server.conf").read_text().splitlines())
    with redis.Redis(port=int(settings["port"]), password=settings["requirepass"]) as broker:
        broker.flushall()


if __name__ == "__main__":
    put_back(Path(sys.argv[1]), Path(sys.argv[2]))
