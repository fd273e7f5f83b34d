"""Pages of the notebooks, with the outputs that are saved in them."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path


def page(path: Path) -> tuple[str, dict[str, bytes]]:
    """The Markdown of a notebook, and its pictures by name."""
    lines, pictures = [], {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            lines += [source, ""]
            continue
        lines += ["```python", source, "```", ""]
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{path.stem}_{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode("".join(data["image/png"]))
                lines += [f"![]({name})", ""]
            elif "text/html" in data:
                table = re.sub(r"(?s)<style.*?</style>| border=\"1\" class=\"dataframe\"", "", "".join(data["text/html"]))
                lines += ['<div class="output" markdown="0">', re.sub(r"\n\s*", "\n", table), "</div>", ""]
            else:
                text = output.get("text") or data.get("text/plain", [])
                lines += ["```text", "".join(text).rstrip(), "```", ""]
    return "\n".join(lines), pictures


def title(path: Path) -> str:
    """The first heading."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        found = re.search(r"^# (.*)", "".join(cell["source"]))
        if found:
            return found[1].strip()
    return path.stem
