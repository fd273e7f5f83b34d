"""Hooks of mkdocs: pages made from the source, pages that lie outside docs/, and links between all of them."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import cli_reference
import cpp_reference
import http_reference
import notebooks
import python_reference
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MIRRORBALL", ROOT / "build/release/mirrorball"))
HEADERS = ROOT / "include/mirrorball"
MODEL = ROOT / "tests/saved_models/0.1/categories.mirrorball"

#: Pages of the site that lie elsewhere in the tree.
ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "HACKING.md": "hacking.md",
    "SECURITY.md": "security.md",
    "LICENSE": "licence.md",
    "experiments/README.md": "experiments.md",
    "experiments/tables/README.md": "benchmarks-run.md",
    "experiments/tables/results/report.md": "benchmarks.md",
}
#: Folders that a page shows.
FOLDERS = {
    "examples": "examples.md",
    "examples/python": "examples.md",
    "examples/notebooks": "examples.md",
    "docs/paper": "paper.md",
    "include/mirrorball": "cpp/index.md",
}
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))
EXAMPLES = ("examples/python/*.py", "examples/*.cc")
#: What a search finds first, and last: by the names of pages.
BOOSTS = {r"guides/|python\.|cli\.|server\.|report\.": 2.0, r"benchmarks|paper|performance|hacking|experiments|cpp/": 0.5}
LINK = re.compile(r"(?P<before>\]\(|(?:src|href|srcset)=\")(?P<target>[^)\s\"]+)")
FENCE = re.compile(r"^\s*(```|~~~)")



def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The C++ reference has a page for each header; every notebook has one."""
    headers = [cpp_reference.page_of(name) for name in cpp_reference.titles(HEADERS)]
    pages = {"C++ API": ["cpp/index.md", *headers], "Notebooks": [f"notebooks/{path.stem}.md" for path in NOTEBOOKS]}
    for part in config.nav:
        for title, items in part.items():
            if isinstance(items, list):
                part[title] = [{title: pages.get(title, page) for title, page in item.items()} for item in items]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    if not PROGRAM.exists():
        raise PluginError(f"there is no {PROGRAM}, whose help the pages show: build it with make")
    made = {
        **cpp_reference.Reference(HEADERS, ROOT / "docs/options.md").pages(),
        "commands.md": cli_reference.page(PROGRAM),
        "http-api.md": http_reference.page(PROGRAM, MODEL),
        "examples.md": examples(),
    }
    for path, page in ELSEWHERE.items():
        made[page] = text_of(path)
    for path in NOTEBOOKS:
        made[f"notebooks/{path.stem}.md"], pictures = notebooks.page(path)
        for name, picture in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    for path in sorted(linked_files([*ELSEWHERE, *docs_pages()])):
        files.append(File.generated(config, f"files/{path}", abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation"]
    for pattern, boost in BOOSTS.items():
        if re.match(pattern, page.file.src_uri):
            page.meta["search"] = {"boost": boost}
    if page.file.src_uri == "python-api.md":
        return markdown + python_reference.directives(ROOT / "python/mirrorball")
    source = source_of(page.file.src_uri)
    return relinked(markdown, source, page.file.src_uri) if source else markdown


def text_of(path: str) -> str:
    text = (ROOT / path).read_text(encoding="utf-8")
    return text if path.endswith(".md") else f"# Licence\n\n```text\n{text}```\n"


def examples() -> str:
    """Every example with its code, under its first sentence."""
    made = ["# Examples", "", "## Notebooks", ""]
    made += [f"- [{notebooks.title(path)}](notebooks/{path.stem}.md)" for path in NOTEBOOKS]
    made += ["", "They are in `examples/notebooks`, with their data made inside.", ""]
    for pattern in EXAMPLES:
        made += ["", f"## {'Python' if pattern.endswith('.py') else 'C++'}", ""]
        for path in sorted(ROOT.glob(pattern)):
            title = path.stem.partition("_")[2].replace("_", " ").capitalize()
            language = "python" if path.suffix == ".py" else "cpp"
            made += [f"### {title} {{ #{path.name} }}", "", f"`{path.relative_to(ROOT)}`", ""]
            made += [f"```{language}", path.read_text(encoding="utf-8").rstrip(), "```", ""]
    return "\n".join(made)


@cache
def docs_pages() -> tuple[str, ...]:
    return tuple(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))


@cache
def page_of(path: str) -> str:
    """The page of the site that shows a file or folder of the tree; empty where there is none."""
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    if path in FOLDERS:
        return FOLDERS[path]
    if path.endswith(".ipynb"):
        return f"notebooks/{Path(path).stem}.md"
    if path.startswith("examples/") and (ROOT / path).is_file():
        return f"examples.md#{Path(path).name}"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    readme = f"{path}/README.md"
    return ELSEWHERE.get(readme, "")


def source_of(page: str) -> str:
    """The file of the tree that a page is; empty for one that is made."""
    elsewhere = {made: path for path, made in ELSEWHERE.items()}
    path = elsewhere.get(page, f"docs/{page}")
    return path if (ROOT / path).exists() else ""


def resolved(target: str, source: str) -> str:
    """The file or folder of the tree that a link means; empty for other links."""
    if re.match(r"[a-z]+:|#|/", target):
        return ""
    return os.path.normpath(os.path.join(os.path.dirname(source), target.partition("#")[0]))


def lines_with_links(text: str):
    """Lines of a page, and whether they stand outside code."""
    fence = False
    for line in text.split("\n"):
        if FENCE.match(line):
            fence = not fence
            yield line, False
        else:
            yield line, not fence


def linked_files(sources: list[str]) -> set[str]:
    """Files that pages link to and that no page shows."""
    found = set()
    for source in sources:
        if not source.endswith(".md"):
            continue
        for line, prose in lines_with_links((ROOT / source).read_text(encoding="utf-8")):
            for match in LINK.finditer(line) if prose else ():
                path = resolved(match["target"], source)
                if path and not page_of(path) and (ROOT / path).is_file():
                    found.add(path)
    return found


def relinked(markdown: str, source: str, page: str) -> str:
    def replace(match: re.Match) -> str:
        path = resolved(match["target"], source)
        if not path:
            return match[0]
        place = page_of(path) or f"files/{path}"
        anchor = match["target"].partition("#")[1:]
        name, _, fixed = place.partition("#")
        relative = os.path.relpath(name, os.path.dirname(page) or ".")
        if not match["before"].startswith("]") and name.endswith(".md"):
            relative = relative.removesuffix(".md") + ".html"  # mkdocs leaves links of HTML alone
        return f"{match['before']}{relative}" + (f"#{fixed}" if fixed else "".join(anchor))

    lines = (LINK.sub(replace, line) if prose else line for line, prose in lines_with_links(markdown))
    return "\n".join(lines)
