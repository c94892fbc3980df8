"""Ids rise, fit into 63 bits, and differ among processes."""

from __future__ import annotations

import multiprocessing

from core.kernel.ids import next_id


def _many(count: int) -> list[int]:
    return [next_id() for _ in range(count)]


def test_ids_of_one_process_rise_and_fit_into_63_bits() -> None:
    ids = _many(20_000)
    assert ids == sorted(set(ids))
    assert 0 < ids[-1] < 2**63


def test_forked_processes_never_give_the_same_id() -> None:
    next_id()  # the parent holds a slot, which its children must not inherit
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.map(_many, [5_000] * 8)
    ids = [one for ids in [*found, _many(5_000)] for one in ids]
    assert len(ids) == len(set(ids)) == 45_000
