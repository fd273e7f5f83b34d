"""Results of cells on the disk: one .npz file each, which is there in one piece or not at all."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from experiments.frame.experiment import Result


def key(*identity: Any) -> str:
    """A short name for what decides a result. Whatever is not plain JSON is an error: it could not be compared."""
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]


def save(path: Path, result: Result) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with open(part, "wb") as file:
        np.savez_compressed(file, **result)  # type: ignore[arg-type]
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def load(path: Path) -> Result:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}
