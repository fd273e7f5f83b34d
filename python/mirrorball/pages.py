"""The report and the explorer, from Python."""

from __future__ import annotations

import html
import json
import os
import pathlib
import tempfile
import webbrowser
from types import TracebackType
from typing import Any

from . import _core
from .progress import in_notebook

__all__ = ["Explorer", "Report"]

_HEIGHT = 900  # pixels of a page within a notebook


class Report:
    """How a model does on some rows: one self-contained HTML page, which a notebook shows as it is.

    It prints what the page says first. `MirrorballRegressor.report` makes it.

    Attributes
    ----------
    summary : list of str
        The most important findings, in words.
    warnings : list of str
    data : dict
        All numbers of the page; docs/report.md describes them.
    html : str
        The page.

    Examples
    --------
    >>> import numpy as np
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
    >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X[:200], X[:200, 0])
    >>> report = model.report(X[200:], X[200:, 0], explain_rows=0)
    >>> report.data["data"]["rows"]
    100
    """

    def __init__(self, parts: _core.ReportParts) -> None:
        self.summary: list[str] = parts.summary
        self.warnings: list[str] = parts.warnings
        self.html: str = parts.html
        self.data: dict[str, Any] = json.loads(parts.numbers)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file.

        Parameters
        ----------
        path : str or path
            It is replaced as a whole.

        Examples
        --------
        >>> report.save("report.html")  # doctest: +SKIP
        """
        target = pathlib.Path(path)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=target.parent, prefix=f".{target.name}.", delete=False
        ) as file:
            file.write(self.html)
        os.chmod(file.name, 0o666 & ~_umask())
        os.replace(file.name, target)

    def __repr__(self) -> str:
        return "\n".join([*self.summary, *(f"warning: {text}" for text in self.warnings)])

    def _repr_html_(self) -> str:
        return _frame(f'srcdoc="{html.escape(self.html)}"')


class Explorer:
    """The explorer of a model, served on this machine until `stop`, or until Python ends.

    A notebook shows its page. `MirrorballRegressor.explore` makes it.

    Attributes
    ----------
    url : str

    Examples
    --------
    >>> import numpy as np
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
    >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
    >>> with model.explore(X, open_browser=False) as explorer:
    ...     explorer.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, server: _core.Explorer, open_browser: bool | None) -> None:
        self._server: _core.Explorer | None = server
        self.url = f"http://127.0.0.1:{server.port}/"
        if not in_notebook() if open_browser is None else open_browser:
            webbrowser.open(self.url)

    def stop(self) -> None:
        """Ends the server. Requests under way are finished.

        Examples
        --------
        >>> explorer.stop()  # doctest: +SKIP
        """
        self._server = None

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Explorer at {self.url}" if self._server is not None else f"Explorer at {self.url}, stopped"

    def _repr_html_(self) -> str:
        if self._server is None:
            return f"<p>{html.escape(repr(self))}</p>"
        link = f'<p><a href="{self.url}" target="_blank" rel="noopener">Open the explorer in its own tab</a></p>'
        return link + _frame(f'src="{self.url}"')


def _frame(source: str) -> str:
    style = f"width: 100%; height: {_HEIGHT}px; border: 1px solid rgb(128 128 128 / 0.35); border-radius: 8px"
    return f'<iframe {source} style="{style}" loading="lazy"></iframe>'


def _umask() -> int:
    """The one of this process, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
