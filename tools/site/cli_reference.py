"""The page of the command line's flags, from the program's own help."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

HEAD = """# Command reference

The flags of every command, as `mirrorball COMMAND --help-all` prints them. The [guide](cli.md) shows how to use them.
"""
PLAIN = ("Positionals", "Options")  # lists that need no heading
ENTRY = re.compile(r"^  (?P<name>\S.*?)(?:  +(?P<text>\S.*))?$")


def page(program: Path) -> str:
    commands = section(help_of(program), "Subcommands")
    made = [HEAD, *(f"- [`{name}`](#{name}): {text}" for name, text in commands), ""]
    for name, _ in commands:
        made += command_page(name, help_of(program, name))
    return "\n".join(made) + "\n"


def help_of(program: Path, command: str = "") -> list[str]:
    arguments = [command, "--help-all"] if command else ["--help"]
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout.splitlines()


def command_page(name: str, lines: list[str]) -> list[str]:
    usage = next((line for line in lines if line.startswith("Usage: ")), f"Usage: mirrorball {name}")
    made = [f"## {name}", "", escaped(lines[0]) + ".", "", "```text", usage.removeprefix("Usage: "), "```", ""]
    titles = [line[:-1] for line in lines if is_title(line)]
    for title in titles:
        rows = section(lines, title)
        if rows:
            kind = "argument" if title == "Positionals" else "flag"
            made += [] if title in PLAIN else [f"### {title} {{ #{name}-{slug(title)} }}", ""]
            made += [f"| {kind} | meaning |", "| --- | --- |"]
            made += [f"| `{flag}` | {escaped(text)} |" for flag, text in rows] + [""]
    return made + [*(escaped(line) for line in closing(lines)), ""]


def section(lines: list[str], title: str) -> list[tuple[str, str]]:
    """Names and texts of a list of the help."""
    rows: list[tuple[str, str]] = []
    if f"{title}:" not in lines:
        return rows
    for line in lines[lines.index(f"{title}:") + 1 :]:
        entry = ENTRY.match(line)
        if entry:
            rows.append((entry["name"], entry["text"] or ""))
        elif line.startswith("   ") and rows:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}".strip())
        else:
            break
    return [row for row in rows if row[0] not in ("-h,--help", "--help-all")]


def closing(lines: list[str]) -> list[str]:
    """What the help says after its lists."""
    last = max((i for i, line in enumerate(lines) if line.startswith("  ")), default=len(lines))
    return lines[last + 1 :]


def is_title(line: str) -> bool:
    return bool(re.match(r"^[A-Z][\w, ]*:$", line))


def slug(title: str) -> str:
    return re.sub(r"\W+", "-", title.lower())


def escaped(text: str) -> str:
    parts = re.split(r"(`[^`]*`|--[a-z][\w-]*)", text.replace("|", "\\|").replace("<", "&lt;"))
    return "".join(f"`{part}`" if part.startswith("--") else part for part in parts)
