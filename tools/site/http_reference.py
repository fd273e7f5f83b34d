"""The page of the HTTP API, from the description that a server gives of itself."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

HEAD = """# HTTP API

The requests that `mirrorball serve` answers, from the `openapi.json` of a running server; here one with a model of
{features} for {targets}. The names of features and targets are those of your model. The [guide](server.md) shows
requests with their answers.
"""


def page(program: Path, model: Path) -> str:
    api = description(program, model)
    schemas = api["components"]["schemas"]
    features = words_of([f"`{name}`" for name in schemas["Row"]["properties"]])
    answer = body_of(api["paths"]["/v1/predict"]["post"]["responses"]["200"])
    targets = words_of([f"`{name}`" for name in answer["properties"]["predictions"]["items"]["properties"]])
    made = [HEAD.format(features=features, targets=targets)]
    made += ["| request | what it does |", "| --- | --- |"]
    requests = [(method.upper(), path, call) for path, calls in api["paths"].items() for method, call in calls.items()]
    made += [f"| [`{method} {path}`](#{slug(path)}) | {call['summary']} |" for method, path, call in requests]
    made.append("")
    for method, path, call in requests:
        made += request(method, path, call)
    for name, schema in schemas.items():
        made += [f"## {name}", "", sentence(schema.get("description", "")), "", *table(schema, "field"), ""]
    return "\n".join(made) + "\n"


def description(program: Path, model: Path) -> dict:
    """openapi.json of a server on a free port of this machine."""
    server = subprocess.Popen(
        [program, "serve", model, "--port", "0", "--threads", "1"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stderr
        for line in server.stderr:
            found = re.search(r"http://\S+?/", line)
            if found:
                with urllib.request.urlopen(found[0] + "openapi.json", timeout=60) as answer:
                    return json.load(answer)
        raise RuntimeError(f"{program} serve {model} named no address")
    finally:
        server.terminate()
        server.communicate()


def request(method: str, path: str, call: dict) -> list[str]:
    made = [f"## `{method} {path}` {{ #{slug(path)} }}", "", sentence(call["summary"]), ""]
    if "parameters" in call:
        made += ["**Query**", "", "| name | meaning |", "| --- | --- |"]
        made += [f"| `{each['name']}` | {each.get('description', '')} |" for each in call["parameters"]] + [""]
    if "requestBody" in call:
        made += ["**Body**, JSON", "", *table(body_of(call["requestBody"]), "field"), ""]
    for status, answer in call["responses"].items():
        if status == "default":
            continue
        types = ", ".join(f"`{each}`" for each in answer["content"])
        made += [f"**Answer** {status}, {types}: {answer['description']}", ""]
        rows = table(body_of(answer), "field")
        made += [*rows, ""] if len(rows) > 2 else []
    return [*made, "Anything else is an [Error](#error).", ""]


def body_of(part: dict) -> dict:
    return next(iter(part["content"].values()))["schema"]


def table(schema: dict, title: str) -> list[str]:
    rows = [f"| `{name}` | {kind} | {text} |" for name, kind, text in fields(schema, "")]
    return [f"| {title} | type | meaning |", "| --- | --- | --- |", *rows]


def fields(schema: dict, prefix: str) -> Iterator[tuple[str, str, str]]:
    """Every field of a schema, those inside others with the path to them."""
    for name, value in schema.get("properties", {}).items():
        path, inner = f"{prefix}{name}", value
        yield path, kind_of(value), text_of(value)
        while inner.get("type") == "array":
            inner, path = inner["items"], f"{path}[]"
        yield from fields(inner, f"{path}.")


def kind_of(schema: dict) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    kinds = schema.get("type", "any")
    if kinds == "array":
        return f"array of {kind_of(schema['items'])}"
    return " or ".join(kinds) if isinstance(kinds, list) else kinds


def text_of(schema: dict) -> str:
    parts = [schema.get("description", "")]
    if "minimum" in schema and "maximum" in schema:
        parts.append(f"{schema['minimum']:,} to {schema['maximum']:,}")
    if "maxItems" in schema:
        parts.append(f"at most {schema['maxItems']:,}")
    if "default" in schema:
        parts.append(f"default {schema['default']}")
    if "examples" in schema:
        parts.append("for example " + ", ".join(f"`{json.dumps(each)}`" for each in schema["examples"]))
    return "; ".join(part for part in parts if part).replace("|", "\\|")


def sentence(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."


def words_of(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def slug(path: str) -> str:
    return path.strip("/").replace("/", "-")
