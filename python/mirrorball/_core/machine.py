"""Version and machine."""

from __future__ import annotations

import ctypes
from typing import Any

from ._library import Library, json_of

__version__: str = Library.version().decode()


def machine() -> dict[str, Any]:
    """What runs on this machine: instruction set, matrix products, cores."""
    return json_of(Library.machine)


def cores() -> int:
    """The cores this process may use: affinity and CPU quotas count."""
    count = ctypes.c_uint()
    Library.cores(ctypes.byref(count))
    return count.value
