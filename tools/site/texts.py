"""What users read, with the place where it stands: pages, messages of the program, web pages, Python docstrings."""

from __future__ import annotations

import ast
import html
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("*.md", "docs/*.md", "docs/**/*.md", "experiments/**/*.md")
CPP_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|#include[^\n]*|R"\((?P<raw>.*?)\)"|"(?P<string>(?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL
)
Text = tuple[str, int, str]  # file, line, text


def tracked(*patterns: str) -> list[str]:
    """Files of the tree that git has or would take."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", *patterns]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [path for path in found if (ROOT / path).exists()]


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def user_texts() -> Iterator[Text]:
    for path in tracked(*PAGES, "CITATION.cff"):
        if path != "HACKING.md":  # speaks of the code, in its words
            yield from ((path, number, line) for number, line in prose(read(path)))
    for path in tracked("examples/*.ipynb"):
        for cell in json.loads(read(path))["cells"]:
            if cell["cell_type"] == "markdown":
                yield from ((path, 1, line) for _, line in prose("".join(cell["source"])))
    for path in tracked("src/*.cc", "src/*.h", "cli/*.cc", "cli/*.h"):
        yield from cpp_strings(path)
    for path in tracked("include/mirrorball/*.h"):
        yield from ((path, n, line) for n, line in enumerate(read(path).splitlines(), 1) if "///" in line)
    for path in tracked("python/mirrorball/*.py"):
        yield from python_strings(path)
    for path in tracked("web/*.html", "web/src/*.ts"):
        yield from web_strings(path)


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Lines of a page without code, and without the targets of links."""
    fence = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*(```|~~~)", line):
            fence = not fence
        elif not fence and not line.startswith(("    ", ":::")):
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)


def cpp_strings(path: str) -> Iterator[Text]:
    text = read(path)
    for match in CPP_TOKEN.finditer(text):
        words = match["raw"] or match["string"]
        if words and is_sentence(words):
            yield path, text.count("\n", 0, match.start()) + 1, words


def python_strings(path: str) -> Iterator[Text]:
    tree = ast.parse(read(path))
    inner = {id(node.body[0].value) for node in ast.walk(tree) if is_documented(node)} if "/_core/" in path else set()
    for node in ast.walk(tree):
        if id(node) in inner:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_sentence(node.value):
            example = False
            for offset, line in enumerate(node.value.splitlines()):
                example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
                if not example and not re.match(r"\s*\w+( : .*)?$", line):  # no names with types
                    yield path, node.lineno + offset, re.sub(r"``?[^`]*``?", " ", line)


def is_documented(node: ast.AST) -> bool:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return isinstance(node, kinds) and ast.get_docstring(node) is not None


def web_strings(path: str) -> Iterator[Text]:
    text = read(path)
    pattern = r">([^<>{}]+)<" if path.endswith(".html") else r"\"([^\"\n]+)\"|'([^'\n]+)'|`([^`]+)`"
    for match in re.finditer(pattern, text):
        words = html.unescape(next(part for part in match.groups() if part))
        if is_sentence(words) and not text[: match.start()].rstrip().endswith("from"):
            yield path, text.count("\n", 0, match.start()) + 1, re.sub(r"\$\{[^}]*\}", " ", words)


def is_sentence(text: str) -> bool:
    """Whether it is more than a name or a format."""
    return bool(re.search(r"[A-Za-z]{2}.*\s.*[A-Za-z]{2}", text, re.DOTALL))
