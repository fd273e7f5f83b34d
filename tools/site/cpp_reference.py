"""Pages of the C++ reference: the public declarations of each header, with their comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

#: Titles of pages in reading order; headers not named here come last.
TITLES = {
    "table": "Tables",
    "table_source": "Tables in blocks",
    "options": "Options",
    "model": "Fit and model",
    "fit_report": "Fit report",
    "plan": "Plan of a fit",
    "progress": "Progress",
    "predictive": "Predictions",
    "region": "Regions",
    "score": "Scores",
    "explain": "Explanations",
    "schema": "Columns of a model",
    "law": "Known distributions",
    "machine": "Machine",
}
TYPES = {"class_specifier", "struct_specifier", "enum_specifier"}
PARSER = Parser(Language(tree_sitter_cpp.language()))


@dataclass
class Group:
    """Declarations that share a comment, or stand together without one."""

    text: list[str] = field(default_factory=list)
    nodes: list[tuple[Node, str]] = field(default_factory=list)  # with what stands behind the declaration
    title: str = ""  # of a part of a struct


def source(node: Node) -> str:
    return (node.text or b"").decode()


def groups(body: Node) -> Iterator[Group]:
    """The public declarations of a namespace or class, in groups."""
    group, public, line = Group(), source(body.parent)[:5] != "class", body.start_point.row
    for node in body.named_children:
        if node.type == "access_specifier":
            yield group
            group, public = Group(), source(node) == "public"
        elif node.type == "comment":
            words = source(node)
            if words.startswith("///<"):
                if group.nodes:
                    last, note = group.nodes.pop()
                    if not words.endswith("internal"):
                        group.nodes.append((last, f"{note} {words[4:].strip()}".strip()))
            elif not (group.nodes and node.start_point.row == line):  # not behind a declaration
                if group.nodes or node.start_point.row > line + 1:
                    yield group
                    group = Group()
                if words.startswith("///"):
                    group.text.append(words[3:].removeprefix(" "))
                else:
                    group.title = words[2:].strip()
            elif words.startswith("//") and "internal" in words:
                group.nodes.pop()
        elif public or node.type == "namespace_definition":
            if group.nodes and (node.start_point.row > line + 1 or not shares_comment(node, group)):
                yield group
                group = Group()
            if wanted(node):
                group.nodes.append((node, ""))
        line = node.end_point.row
    yield group


def shares_comment(node: Node, group: Group) -> bool:
    """Whether the comment above the declarations before this one is about it too."""
    first, name, words = declared(group.nodes[0][0]), declared(node), " ".join(group.text)
    if not words or is_field(node):
        return True
    return bool(set(first.split("_")) & set(name.split("_"))) or f"`{name}`" in words


def wanted(node: Node) -> bool:
    text = source(node)
    if node.type in TYPES:
        return node.child_by_field_name("body") is not None
    if node.type not in {"declaration", "field_declaration", "function_definition", "alias_declaration", "template_declaration"}:
        return False
    special = r"~|operator=|= delete|\b(\w+)\((const )?\1\s*&&?\w*\)|^(class|struct) \w+;$|\bParts\b"
    return not re.search(special, text)


def declared(node: Node) -> str:
    """The name that a declaration brings."""
    for kind in ("name", "declarator"):
        child = node.child_by_field_name(kind)
        if child is not None:
            return declared(child) if child.named_child_count and child.type != "template_type" else source(child)
    for child in node.named_children:
        if child.type in TYPES | {"function_declarator", "init_declarator"}:
            return declared(child)
        if child.type in {"identifier", "field_identifier", "type_identifier"} and child == node.named_children[-1]:
            return source(child)
        if child.type.endswith("declarator"):
            return declared(child)
    return source(node)


def signature(node: Node) -> str:
    """A declaration without the body of a function."""
    body = node.child_by_field_name("body") if node.type == "function_definition" else None
    text = source(node)
    if body is not None:
        text = text[: body.start_byte - node.start_byte].rstrip() + ";"
    lines = text.splitlines()
    return " ".join(line.strip() for line in lines) if len(" ".join(lines)) < 100 else "\n".join(dedented(lines))


def dedented(lines: list[str]) -> list[str]:
    rest = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    cut = max(min(rest) - 4, 0) if rest else 0
    return [lines[0], *(line[cut:] for line in lines[1:])]


def is_field(node: Node) -> bool:
    if node.type != "field_declaration" or node.child_by_field_name("declarator") is None:
        return False
    return "function_declarator" not in {child.type for child in walk(node)}


def walk(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        yield child
        if child.type not in {"template_argument_list", "compound_statement", "initializer_list"}:
            yield from walk(child)


class Reference:
    """All pages, and where each name has its place."""

    def __init__(self, headers: Path, options_page: Path):
        self.titles = titles(headers)
        self.trees = {name: PARSER.parse((headers / f"{name}.h").read_bytes()) for name in self.titles}
        self.overview = comment_of(headers / "mirrorball.h")
        described = options_page.read_text(encoding="utf-8").partition("## Presets")[0]
        self.meanings = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", described, re.MULTILINE))
        self.anchors: dict[tuple[str, str], int] = {}
        self.places: dict[str, str] = {}
        for name in self.titles:
            for group in self.top(name):
                for node, _ in group.nodes:
                    place = node if node.type in TYPES else group.nodes[0][0]
                    self.places.setdefault(declared(node), f"{page_of(name)}#{declared(place)}")

    def top(self, name: str) -> list[Group]:
        for node in self.trees[name].root_node.named_children:
            if node.type == "namespace_definition":
                return list(groups(node.child_by_field_name("body")))
        return []

    def pages(self) -> dict[str, str]:
        made = {page_of(name): self.page(name) for name in self.titles}
        return {"cpp/index.md": self.index(), **made}

    def index(self) -> str:
        lines = ["# C++ API", "", *self.prose(self.overview, "index"), ""]
        lines += ["```cpp", "#include <mirrorball/mirrorball.h>  // everything below", "```", ""]
        for name, title in self.titles.items():
            lines += [f"## [{title}]({name}.md)", "", "| name | what it is |", "| --- | --- |"]
            for group in self.top(name):
                words = first_sentence(group.text)
                named = dict.fromkeys(declared(node) for node, _ in group.nodes)
                shown = ", ".join(f"[`{each}`]({self.places[each][4:]})" for each in named)
                if shown:
                    lines.append(f"| {shown} | {self.cell(words, 'index')} |")
            lines.append("")
        return "\n".join(lines)

    def page(self, name: str) -> str:
        lines = [f"# {self.titles[name]}", "", "```cpp", f"#include <mirrorball/{name}.h>", "```", ""]
        for group in self.top(name):
            if not group.nodes:
                lines += [*self.prose(group.text, name), ""]
            elif group.nodes[0][0].type in TYPES | {"template_declaration"}:
                for position, (node, _) in enumerate(group.nodes):
                    lines += self.type(node, group.text if position == 0 else [], name)
            else:
                lines += self.functions(group, name, "##")
        return "\n".join(lines)

    def type(self, node: Node, text: list[str], page: str) -> list[str]:
        inner = next((child for child in node.named_children if child.type in TYPES), node)
        kind, title = source(inner).split()[0], declared(inner)
        lines = [f"## `{kind} {title}` {{ #{title} }}", "", *self.prose(text, page), ""]
        body = inner.child_by_field_name("body")
        if inner.type == "enum_specifier":
            return [*lines, "```cpp", " ".join(source(inner).split()) + ";", "```", ""]
        table: list[str] = []
        methods: list[str] = []
        for group in groups(body):
            fields = [(each, note) for each, note in group.nodes if is_field(each)]
            if fields:
                table += [f"| **{group.title}** | | |"] if group.title else []
                table += [self.row(each, note or " ".join(group.text), page) for each, note in fields]
            others = Group(group.text, [each for each in group.nodes if each not in fields])
            if others.nodes:
                methods += self.functions(others, page, "###", title)
        if table:
            lines += ["| field | type and default | meaning |", "| --- | --- | --- |", *table, ""]
        return lines + methods

    def row(self, node: Node, note: str, page: str) -> str:
        declarator = node.child_by_field_name("declarator")
        kind = source(node)[: declarator.start_byte - node.start_byte].strip()
        names, values = [], []
        for index, child in enumerate(node.children):
            role = node.field_name_for_child(index)
            if role == "declarator":
                names.append(source(child).lstrip("* "))
                kind += "*" * source(child).count("*")
            elif role == "default_value":
                values.append(" ".join(source(child).split()))
        shown = ", ".join(f"`{name}`" for name in names)
        default = f" = {', '.join(values)}" if values and values != ["{}"] else ""
        note = note or (self.meanings.get(names[0], "") if page == "options" else "")
        return f"| {shown} | `{kind}{default}` | {self.cell(note, page)} |"

    def functions(self, group: Group, page: str, heading: str, owner: str = "") -> list[str]:
        names = list(dict.fromkeys(declared(node) for node, _ in group.nodes))
        title = ", ".join("constructor" if name == owner else f"`{name}`" for name in names)
        anchor = self.anchor(f"{owner}::{names[0]}" if owner else names[0], page)
        lines = [f"{heading} {title} {{ #{anchor} }}", "", "```cpp"]
        for node, note in group.nodes:
            text = signature(node)
            lines += [text + (f"  // {note}" if note else "")]
        return [*lines, "```", "", *self.prose(group.text, page), ""]

    def anchor(self, name: str, page: str) -> str:
        """A place on the page; overloads that stand apart get numbers."""
        count = self.anchors[page, name] = self.anchors.get((page, name), 0) + 1
        return name if count == 1 else f"{name}-{count}"

    def prose(self, text: list[str], page: str) -> list[str]:
        lines, code = [], False
        for line in text:
            indented = line.startswith("  ")
            if indented != code:
                lines += ["```text"] if indented else ["```", ""]
                code = indented
            lines.append(line if indented else self.linked(line, page))
        return [*lines, "```"] if code else lines

    def cell(self, text: str, page: str) -> str:
        return self.linked(text, page).replace("|", "\\|")

    def linked(self, text: str, page: str) -> str:
        """Prose with what Markdown would take for markup escaped, and links at names of the API."""
        parts = re.split(r"(`[^`]*`)", text)
        return "".join(self.link(part, page) if part.startswith("`") else escaped(part) for part in parts)

    def link(self, code: str, page: str) -> str:
        name = code.strip("`").split("::")[0]
        place = self.places.get(name, "")
        if not place or place.startswith(f"cpp/{page}.md"):
            return code
        return f"[{code}]({place.removeprefix('cpp/')})"


def escaped(text: str) -> str:
    return re.sub(r"([*_\[\]])", r"\\\1", text).replace("<", "&lt;")


def titles(headers: Path) -> dict[str, str]:
    """The headers that have pages, in order, with their titles."""
    there = {path.stem for path in headers.glob("*.h")} - {"mirrorball", "version"}
    others = {name: name.replace("_", " ").capitalize() for name in sorted(there - set(TITLES))}
    return {name: title for name, title in (TITLES | others).items() if name in there}


def page_of(header: str) -> str:
    return f"cpp/{header}.md"


def first_sentence(text: list[str]) -> str:
    words = " ".join(line for line in text if not line.startswith("  "))
    return re.split(r"(?<=[.:])\s", words, maxsplit=1)[0].rstrip(":")


def comment_of(header: Path) -> list[str]:
    return [line[3:].removeprefix(" ") for line in header.read_text().splitlines() if line.startswith("///")]
