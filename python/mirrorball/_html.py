"""HTML for notebooks: tables, small densities and bars in the colours of the pages."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from ._palette import DARK, LIGHT
from .density import Density

#: How JupyterLab, VS Code, Colab and the documentation say that they are dark.
_DARK_GROUNDS = (
    '[data-jp-theme-light="false"]',
    ".vscode-dark",
    'html[theme="dark"]',
    '[data-md-color-scheme="slate"]',
)

_STYLE = f"""<style>
.mirrorball {{ --accent: {LIGHT.accent}; --other: {LIGHT.other}; font: 13px/1.45 system-ui, sans-serif; color: inherit; }}
{", ".join(f"{ground} .mirrorball" for ground in _DARK_GROUNDS)} {{ --accent: {DARK.accent}; --other: {DARK.other}; }}
.mirrorball p {{ margin: 0 0 6px; }}
.mirrorball .soft {{ opacity: 0.72; }}
.mirrorball table {{ font: inherit; border-collapse: collapse; border: 0; margin: 0 0 6px; background: none; }}
.mirrorball tr, .mirrorball tr:nth-child(odd), .mirrorball tr:hover {{ background: none; }}
.mirrorball th, .mirrorball td {{ border: 0; border-bottom: 1px solid rgb(128 128 128 / 0.28); padding: 3px 18px 3px 0;
  text-align: right; vertical-align: middle; white-space: nowrap; font-variant-numeric: tabular-nums; }}
.mirrorball th {{ font-weight: 600; }}
.mirrorball thead th {{ opacity: 0.72; }}
.mirrorball .left {{ text-align: left; }}
.mirrorball svg {{ display: block; overflow: visible; }}
.mirrorball .area {{ fill: var(--accent); fill-opacity: 0.25; }}
.mirrorball .line {{ fill: none; stroke: var(--accent); stroke-width: 1.5; }}
.mirrorball .up, .mirrorball .spike {{ fill: var(--accent); }}
.mirrorball .down {{ fill: var(--other); }}
.mirrorball .unsure {{ fill-opacity: 0.35; }}
.mirrorball .zero {{ stroke: currentcolor; stroke-opacity: 0.35; }}
.mirrorball .whisker {{ stroke: currentcolor; stroke-width: 1.2; }}
.mirrorball summary {{ cursor: pointer; margin: 4px 0; }}
</style>"""


class Markup(str):
    """HTML that is not escaped again."""

    __slots__ = ()


def page(*parts: str) -> str:
    """Parts of HTML, with the style that they need."""
    return f'{_STYLE}<div class="mirrorball">{"".join(parts)}</div>'


def sentence(text: str, soft: bool = False) -> Markup:
    return Markup(f"<p{' class=soft' if soft else ''}>{escaped(text)}</p>")


def escaped(text: str) -> str:
    return text if isinstance(text, Markup) else html.escape(text)


def table(titles: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> Markup:
    """A table; the first `left` columns and those of pictures are aligned to the left."""
    pictures = [k for k, cell in enumerate(rows[0] if rows else ()) if cell.startswith("<svg")]

    def line(cells: Sequence[str], tag: str) -> str:
        made = (
            f"<{tag}{' class=left' if k < left or k in pictures else ''}>{escaped(cell)}</{tag}>"
            for k, cell in enumerate(cells)
        )
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(line(cells, "td") for cells in rows)
    return Markup(f"<table><thead>{line(titles, 'th')}</thead><tbody>{body}</tbody></table>")


def details(summary: str, content: str) -> Markup:
    return Markup(f"<details><summary>{escaped(summary)}</summary>{escaped(content)}</details>")


def small_density(found: Density, low: float, high: float, median: float, width: int = 180, height: int = 34) -> Markup:
    """A density from low to high as a picture in a line of text; a dot is the median."""
    room = height - 5
    top = max([*found.y, *(spike.share / found.spike_width for spike in found.spikes), 1e-300])

    def x(value: float) -> float:
        return round(width * (value - low) / (high - low), 1)

    def y(value: float) -> float:
        return round(room - (room - 2) * value / top, 1)

    marks = []
    if len(found.x):
        points = "L".join(f"{x(at)},{y(value)}" for at, value in zip(found.x, found.y))
        marks.append(
            f'<path class="area" d="M{x(found.x[0])},{room}L{points}V{room}Z"/><path class="line" d="M{points}"/>'
        )
    thick = max(2.0, 0.8 * width * found.spike_width / (high - low)) if found.bars else 3.0
    for value, share in found.spikes:
        if low <= value <= high:
            tall = room - y(share / found.spike_width)
            marks.append(
                f'<rect class="spike" x="{x(value) - thick / 2:.1f}" y="{room - tall:.1f}" width="{thick:.1f}"'
                f' height="{tall:.1f}"/>'
            )
    dot = f'<circle class="up" cx="{x(median)}" cy="{room}" r="3.5"/>'
    line = f'<line class="zero" x1="0" x2="{width}" y1="{room}" y2="{room}"/>'
    return _picture(width, height, line + "".join(marks) + dot)


def bar(value: float, error: float, low: float, high: float, width: int = 220, height: int = 18) -> Markup:
    """A bar from 0, with a whisker of two standard errors; pale where that crosses 0."""

    def x(at: float) -> float:
        return width * (at - low) / (high - low)

    whisker = 2 * error if np.isfinite(error) else 0.0
    pale = " unsure" if abs(value) < whisker else ""
    start, end = sorted((x(0.0), x(value)))
    kind = "up" if value >= 0 else "down"
    mark = (
        f'<rect class="{kind}{pale}" x="{start:.1f}" y="3" width="{max(0.5, end - start):.1f}" height="{height - 6}"/>'
    )
    if whisker > 0:
        ends = (x(max(low, value - whisker)), x(min(high, value + whisker)))
        mark += f'<line class="whisker" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{height / 2}" y2="{height / 2}"/>'
    zero = f'<line class="zero" x1="{x(0.0):.1f}" x2="{x(0.0):.1f}" y1="0" y2="{height}"/>'
    return _picture(width, height, mark + zero)


def _picture(width: int, height: int, marks: str) -> Markup:
    return Markup(
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" aria-hidden="true">{marks}</svg>'
    )
