"""The program inside this process, and files that Python reads for it."""

from __future__ import annotations

import ctypes
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from ctypes import c_char_p

from ._library import CloseForeign, Library, OpenForeign, ReadForeign, Text, Texts

#: Gives the columns of a file that are categories, and its rows as CSV, a piece at a time.
Opener = Callable[[str], tuple[list[str], Iterator[bytes]]]

_FAILED = -1


class _File:
    """One that is open."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._left = memoryview(b"")

    def read(self, out: int, size: int) -> int:
        """Fills memory with at most so many bytes; none at the end."""
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = memoryview(piece)
        count = min(size, len(self._left))
        ctypes.memmove(out, bytes(self._left[:count]), count)
        self._left = self._left[count:]
        return count


class _Files:
    """The functions that the library calls. What goes wrong is told to the file that is asked for."""

    def __init__(self, opener: Opener) -> None:
        files: dict[int, _File] = {}
        numbers = itertools.count()

        def open_file(asked: int, path: bytes) -> int:
            try:
                categories, pieces = opener(os.fsdecode(path))
                Library.foreign_categories(asked, Texts.of(categories))
                number = next(numbers)
                files[number] = _File(pieces)
                return number
            except BaseException as error:
                Library.foreign_failed(asked, Text.of(str(error) or repr(error)))
                return _FAILED

        def read(asked: int, number: int, out: int, size: int) -> int:
            try:
                return files[number].read(out, size)
            except BaseException as error:
                Library.foreign_failed(asked, Text.of(str(error) or repr(error)))
                return _FAILED

        def close(number: int) -> None:
            files.pop(number, None)

        self.functions = OpenForeign(open_file), ReadForeign(read), CloseForeign(close)


def run(words: Sequence[str], opener: Opener) -> int:
    """The program with these words, its own name first; gives its exit code."""
    files = _Files(opener)
    encoded = [os.fsencode(word) for word in words]
    arguments = (c_char_p * (len(encoded) + 1))(*encoded, None)
    return Library.main_in_python(len(encoded), arguments, *files.functions)
