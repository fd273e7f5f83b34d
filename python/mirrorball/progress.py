"""A bar for long work: on a terminal, in a notebook, or as lines."""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import Any

_WAIT = 0.5  # seconds before a bar appears: short work needs none
_REDRAW = 0.1


def duration(seconds: float) -> str:
    """
    >>> duration(3.21), duration(75), duration(200)
    ('3.2 s', '75 s', '3 min 20 s')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


_PHASES = ("fitting trees and neighbours", "training", "calibrating", "refit on all rows", "writing the cache")


def words_of(news: Any) -> str:
    """News of a fit in words, as the program has them."""
    words = _PHASES[news.phase]
    if words == "training" and news.networks > 1:
        words += f"  {news.networks_done}/{news.networks} networks"
    return words + (f"  energy score {news.lowest_score:.4f}" if news.lowest_score else "")


def in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    shell = shell and shell.get_ipython()
    return shell is not None and getattr(shell, "kernel", None) is not None


class Bar:
    """Shows a share of work done. `verbose` None shows it where somebody looks, False never.

    >>> with Bar(verbose=False) as bar:
    ...     bar.show(0.5, "half way")
    """

    def __init__(self, verbose: bool | None = None) -> None:
        self._start = self._shown = time.monotonic()
        self._handle: Any = None
        self._drawn = False
        self._tenth = 0
        if verbose is not None and not verbose:
            self._draw = None
        elif in_notebook():
            self._draw = self._draw_notebook
        elif sys.stderr is not None and sys.stderr.isatty():
            self._draw = self._draw_terminal
        else:
            self._draw = self._draw_line if verbose else None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.clear()

    def show(self, share: float, words: str, seconds_left: float | None = None) -> None:
        """`seconds_left` is below 0 where nobody can tell yet; by default it is taken from the share."""
        now = time.monotonic()
        if self._draw is None or now - self._start < _WAIT or (self._drawn and now - self._shown < _REDRAW):
            return
        self._shown = now
        spent = now - self._start
        if seconds_left is None:
            seconds_left = spent * (1 - share) / share if share > 0.01 else -1
        left = f"  {duration(seconds_left)} left" if seconds_left >= 0 else ""
        self._draw(min(max(share, 0.0), 1.0), f"{100 * share:3.0f}%  {words}{left}")
        self._drawn = True

    def clear(self) -> None:
        """Takes the bar away."""
        if self._handle is not None:
            self._show_html("")
        elif self._drawn and self._draw == self._draw_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self._drawn = False

    def _draw_terminal(self, share: float, text: str) -> None:
        width = shutil.get_terminal_size().columns
        cells = max(10, min(40, width - len(text) - 2))
        done = int(share * cells)
        sys.stderr.write(f"\r{'━' * done}{'─' * (cells - done)} {text[: max(0, width - cells - 2)]}\x1b[K")
        sys.stderr.flush()

    def _draw_line(self, share: float, text: str) -> None:
        if int(10 * share) > self._tenth:
            self._tenth = int(10 * share)
            print(text, file=sys.stderr, flush=True)

    def _draw_notebook(self, share: float, text: str) -> None:
        self._show_html(f'<progress value="{share:.4f}" max="1" style="width: 20em"></progress> <code>{text}</code>')

    def _show_html(self, html: str) -> None:
        from IPython.display import HTML, display

        if self._handle is None:
            self._handle = display(HTML(html), display_id=True)
        else:
            self._handle.update(HTML(html))
