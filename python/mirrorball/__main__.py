"""The program: ``mirrorball …``, or ``python -m mirrorball …``."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import sys

from . import _arrow_files

#: The C++ program of the package.
PROGRAM = pathlib.Path(__file__).with_name("_core") / "mirrorball"


def main() -> int:
    """Runs the program with the words of the command line.

    It takes this process over: signals and the exit code are its own. Where a word names a Parquet, Feather or Arrow file,
    the program runs inside Python instead, which reads such a file for it.
    """
    for name in ("SIGINT", "SIGPIPE", "SIGXFSZ"):  # as they were before Python saw to them
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    words = sys.argv[1:]
    if not any(map(_arrow_files.is_named, words)):
        with contextlib.suppress(OSError):  # a file system that runs no programs
            os.execv(PROGRAM, ["mirrorball", *words])
    from ._core.program import run

    return run(["mirrorball", *words], _arrow_files.open_file)


if __name__ == "__main__":
    sys.exit(main())
