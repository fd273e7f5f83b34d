"""How many threads to use."""

from __future__ import annotations

import os

from ._core import cores


def threads_of_jobs(n_jobs: int | None) -> int:
    """What `n_jobs` means: None takes all cores, or what OMP_NUM_THREADS allots; -1 all of them, -2 all but one."""
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "")
        return min(int(limit), cores()) if limit.isdigit() and int(limit) > 0 else cores()
    if n_jobs == 0:
        raise ValueError("n_jobs is 0: give 1 or more, or -1 for all cores")
    return int(n_jobs) if n_jobs > 0 else max(1, cores() + 1 + int(n_jobs))
