"""check: links, code, words and the version of every page, and the links of the built site. Prints what is wrong."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from texts import ROOT, prose, read, tracked, user_texts

SITE = ROOT / "build/site"
GIVEN_UP = "tools/words_given_up.txt"
NO_WORDS = ("categor",)  # parts of words, for codespell
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)|(?:src|href)=\"([^\"]+)\"")


def links_of_pages() -> Iterator[str]:
    """Links between the Markdown files, as a reader of the repository follows them."""
    for page in tracked("*.md"):
        for number, line in prose_with_links(read(page)):
            for match in LINK.finditer(line):
                target = match[1] or match[2]
                wrong = wrong_link(page, target)
                if wrong:
                    yield f"{page}:{number}: {target}: {wrong}"


def prose_with_links(text: str) -> Iterator[tuple[int, str]]:
    lines = text.splitlines()
    for number, _ in prose(text):
        yield number, re.sub(r"`[^`]*`(?!\])", " ", lines[number - 1])


def wrong_link(page: str, target: str) -> str:
    if re.match(r"[a-z]+:", target):
        return ""
    path, _, anchor = unquote(target).partition("#")
    file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not (ROOT / file).exists():
        return "there is no such file"
    if anchor and file.endswith(".md") and anchor not in anchors(file):
        return f"{file} has no such heading"
    return ""


@cache
def anchors(page: str) -> set[str]:
    """Anchors of the headings, as GitHub and the site make them."""
    found: set[str] = set()
    fence = False
    for line in read(page).splitlines():
        fence ^= bool(re.match(r"\s*(```|~~~)", line))
        heading = re.match(r"#+ +(.*?)(?: *\{ *#([\w-]+) *\})? *#*$", line)
        if heading and not fence:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            slug = heading[2] or re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")
            found.add(next(name for name in (slug, *(f"{slug}-{n}" for n in range(1, 99))) if name not in found))
    return found


class Links(HTMLParser):
    """Places and links of a page of the site."""

    def __init__(self, page: Path):
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.ids.update(value for key in ("id", "name") if (value := values.get(key)))
        link = values.get("href") or values.get("src")
        if link:
            (self.links if tag == "a" else self.fetched).append(link)


def links_of_site() -> Iterator[str]:
    """Every link leads to a file and a place in it; nothing is fetched from elsewhere."""
    pages = {page: Links(page) for page in SITE.rglob("*.html") if page.name != "404.html"}
    for page, links in pages.items():
        name = page.relative_to(SITE)
        for link in links.fetched:
            if urlsplit(link).netloc:
                yield f"build/site/{name}: fetches {link}"
        for link in {*links.links, *links.fetched}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not file.is_file():
                yield f"build/site/{name}: {link}: there is no such file"
            elif parts.fragment and file in pages and unquote(parts.fragment) not in pages[file].ids | {"__top"}:
                yield f"build/site/{name}: {link}: there is no such place"


def code_blocks() -> Iterator[str]:
    """Python and JSON parse; C++ compiles. tests/commands runs the commands, tests/python/test_docs.py the guides."""
    for page in tracked("*.md"):
        text = read(page)
        for match in re.finditer(r"^( *)```(\w+)[^\n]*\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL):
            code = re.sub(rf"^{match[1]}", "", match[3], flags=re.MULTILINE)
            wrong = CHECKS[match[2]](code) if match[2] in CHECKS else ""
            if wrong:
                yield f"{page}:{text.count(chr(10), 0, match.start()) + 1}: {match[2]}: {wrong}"


def wrong_python(code: str) -> str:
    if code.startswith(">>>"):
        code = "\n".join(line[4:] for line in code.splitlines() if line.startswith((">>>", "...")))
    try:
        ast.parse(code)
    except SyntaxError as error:
        return str(error)
    return ""


def wrong_json(code: str) -> str:
    """One value, or one on each line."""
    try:
        json.loads(code)
    except ValueError as error:
        lines = code.splitlines()
        return str(error) if len(lines) == 1 else next(filter(None, map(wrong_json, lines)), "")
    return ""


def wrong_cpp(code: str) -> str:
    """What the compiler says; statements alone are put into a function."""
    if "int main" not in code:
        lines = code.splitlines()
        head = [line for line in lines if re.match(r"#include|using namespace", line)]
        code = "\n".join([*head, "void shown() {", *(line for line in lines if line not in head), "}"])
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
        file.write(code)
        file.flush()
        command = ["g++", "-std=c++20", "-fsyntax-only", "-I", ROOT / "include", file.name]
        return subprocess.run(command, capture_output=True, text=True).stderr.strip()


CHECKS: dict[str, Callable[[str], str]] = {"python": wrong_python, "json": wrong_json, "cpp": wrong_cpp}


def words_given_up() -> Iterator[str]:
    """Words of the list, in what users read."""
    listed = [re.split(r"\s*\t\s*|\s+->\s+", line, maxsplit=1) for line in read(GIVEN_UP).splitlines()]
    rules = [(re.compile(rf"(?i)\b(?:{rule[0]})\b"), rule[-1]) for rule in listed if rule[0] and rule[0][0] != "#"]
    for path, line, text in user_texts():
        for pattern, instead in rules:
            found = pattern.search(text)
            if found:
                yield f"{path}:{line}: {found[0]!r}: {instead}"


def spelling() -> Iterator[str]:
    paths = tracked("*.md", "*.py", "*.cc", "*.h", "*.ts", "*.html", "*.yml", "*.toml", "*.cff", "tools", "cmake")
    paths = [path for path in paths if not path.startswith("tests/")]  # they misspell on purpose
    command = [Path(sys.executable).parent / "codespell", "--ignore-words-list", ",".join(NO_WORDS), *paths]
    yield from subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()


def version() -> Iterator[str]:
    """The version of version.h, which CMake and pyproject.toml read, stands in the citation and the changelog."""
    [stated] = re.findall(r'MIRRORBALL_VERSION "(.*)"', read("include/mirrorball/version.h"))
    for path, pattern in (("CITATION.cff", r"^version: (\S+)$"), ("CHANGELOG.md", r"^## \[?([\d.]+)")):
        found = re.search(pattern, read(path), re.MULTILINE)
        if not found or found[1] != stated:
            yield f"{path}: version {found and found[1]}, but include/mirrorball/version.h has {stated}"


def main() -> int:
    checks = (links_of_pages, links_of_site, code_blocks, words_given_up, spelling, version)
    wrong = [line for check in checks for line in check()]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
