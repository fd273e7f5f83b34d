"""Long work, which Ctrl-C and other signals can end."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ._library import Library, Owner, Progress

_LOOK = 0.1  # seconds between looks for signals
_HAS_NEWS, _ENDED = 1, 2


class Work(Owner):
    """Work on a thread of the library's, which stands still until its news are answered."""

    _free = Library.work_free  # stops it

    def __init__(self, start: Callable[..., None], *arguments: Any) -> None:
        self._needs = arguments  # which must stay until the end
        self._as_parameter_ = ctypes.c_void_p()  # owned from the moment it starts
        start(*arguments, ctypes.byref(self._as_parameter_))

    def watch(self, show: Callable[[Progress], Any]) -> BaseException | None:
        """Waits for the end; `show` gets the news and ends the work by returning false.

        An exception, of `show` or of a signal's handler, ends the work in good order and is given back.
        """
        stopped_by: BaseException | None = None
        state = 0
        while state != _ENDED:
            try:  # most signals are seen to between the calls
                news = Progress()
                state = Library.work_wait(self, _LOOK, ctypes.byref(news))
                if state == _HAS_NEWS:
                    go_on = stopped_by is None and bool(show(news))
                    Library.work_answer(self, go_on)
            except BaseException as error:
                if stopped_by is None or isinstance(stopped_by, KeyboardInterrupt):
                    stopped_by = error
        return stopped_by
