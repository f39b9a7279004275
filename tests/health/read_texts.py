"""What people read, taken from the files: one text per sentence or label, without markup, code and values.

Templates, the guides and terms of the help, `messages.toml`, `error_codes.toml`, mails, the words of the chapters, the
help of commands, the prose of documents. `test_plain_words` looks for the words that the glossary rules out.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tests.health.files import ROOT, modules, text_of, tracked

CORE = ROOT / "submissions/core"
TEMPLATES = ROOT / "templates"
PROGRAM = ("games", "submissions", "portal")
CHAPTER_WORDS = {"guide.toml", "labels.toml", "rules.toml", "layout.toml", "paytables.toml", "common.toml"}
SPOKEN = {"words", "label", "labels", "message", "fix", "help", "question", "reading", "evidence", "note", "title"}
SPOKEN |= {"because", "element", "size"}
NOT_READ = {"key", "page", "picture"}
READ_ATTRIBUTES = {"aria-label", "title", "alt", "placeholder", "content"}
UNREAD = {"script", "style", "svg", "code", "kbd", "head"}
INLINE = {"a", "abbr", "b", "em", "i", "span", "strong", "small", "time", "sup", "sub", "wbr"}
TAG = re.compile(r"\{#.*?#\}|\{%\s*comment\b.*?endcomment\s*%\}|\{%.*?%\}", re.DOTALL)
SAYING_TAG = re.compile(r"\{% (?:column_headings|data_table|fact|fact_row) .*?%\}")  # their arguments are read
SAID = re.compile(r"""(?<![:])(?<!look=)(?<!labeled_by=)"#?([^"]*)\"""")
VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
FIELD = re.compile(r"\{[\w.!:,]+\}")
QUOTED = re.compile("“[^”]*”")
FENCE = re.compile(r"^ *(```|~~~).*?^ *\1\s*$", re.DOTALL | re.MULTILINE)
NEUTRAL = "it"  # stands for a value: one short word


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence, label or paragraph that a person reads. `source`: the file, below the repository's root."""

    source: str
    words: str


@cache
def texts() -> tuple[Text, ...]:
    """Every text, file by file."""
    of_files = (*template_texts(), *web_texts(), *message_texts(), *document_texts(), *chapter_texts())
    return (*of_files, *help_texts(), *python_texts())


def template_texts() -> tuple[Text, ...]:
    """The static words of templates and mails."""
    paths = [path for path in tracked() if path.is_relative_to(TEMPLATES) and path.suffix in {".html", ".txt"}]
    return tuple(
        Text(_name(path), words)
        for path in sorted(paths)
        for words in template_words(text_of(path), mail=path.suffix == ".txt")
    )


def web_texts() -> tuple[Text, ...]:
    """The words of the pages that are data: every string of the TOML files, without keys and names of pages."""
    paths = [path for path in tracked() if path.is_relative_to(ROOT / "submissions/web") and path.suffix == ".toml"]
    return tuple(
        Text(_name(path), words.replace("**", "")) for path in sorted(paths) for words in _all_strings(_read(path))
    )


def message_texts() -> tuple[Text, ...]:
    """Messages and error codes, each with its fix, under the heading of its kind."""
    headings = _read(CORE / "error_codes.toml")
    heading_of = {code: heading for heading, codes in headings.items() for code in codes}
    codes = [
        Text(f"error_codes.toml: {heading}", words)
        for heading, rows in headings.items()
        for row in rows.values()
        for words in row[1:]
    ]
    messages = [
        Text(f"messages.toml: {heading_of[key.partition('/')[0]]}", FIELD.sub(NEUTRAL, words))
        for key, row in _read(CORE / "messages.toml").items()
        for words in row.values()
    ]
    return (*codes, *messages)


def help_texts() -> tuple[Text, ...]:
    """What commands say of themselves and of their options."""
    commands = [path for path in modules(*PROGRAM) if "management" in path.parts or path.stem == "__main__"]
    return tuple(Text(_name(path), words) for path in commands for words in _help(path))


def document_texts() -> tuple[Text, ...]:
    """The prose of documents: no blocks of code, no tables, no headings."""
    paths = [
        path
        for path in tracked()
        if path.suffix == ".md" and (path.parent == ROOT or path.is_relative_to(ROOT / "docs"))
    ]
    return tuple(Text(_name(path), words) for path in sorted(paths) for words in _prose(text_of(path)))


def chapter_texts() -> tuple[Text, ...]:
    """The chapters' own words: guides, labels, messages, help, notes. Not what they quote, nor a form's questions."""
    paths = [path for path in tracked() if path.is_relative_to(ROOT / "games/chapters") and path.name in CHAPTER_WORDS]
    return tuple(
        Text(_name(path), FIELD.sub(NEUTRAL, QUOTED.sub(NEUTRAL, words)))
        for path in sorted(paths)
        for words in _spoken(_read(path))
    )


def python_texts() -> tuple[Text, ...]:
    """Texts in Python: every string of at least two words that is no docstring."""
    return tuple(Text(_name(path), words) for path in modules(*PROGRAM) for words in _strings(path))


class _Words(HTMLParser):
    """The texts between block elements, and those of the attributes that are read."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._open: list[str] = []
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in UNREAD
        if tag in {"code", "kbd"}:
            self._open.append(f" {NEUTRAL} ")
        elif tag not in INLINE:
            self.end_block()
        if not self._unread:
            self.texts += [value for name, value in attrs if name in READ_ATTRIBUTES and value]

    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in UNREAD and self._unread > 0
        if tag not in INLINE | {"code", "kbd"}:
            self.end_block()

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._open.append(data)

    def end_block(self) -> None:
        text = " ".join("".join(self._open).split())
        self._open = []
        if re.search(r"[A-Za-z]{2}", text) and text != NEUTRAL:
            self.texts.append(text)


def template_words(written: str, *, mail: bool = False) -> list[str]:
    """The texts of a template, in order: of its elements and of the attributes that are read; `mail`: no markup."""
    said = SAYING_TAG.sub(lambda tag: "".join(f"<p>{words}</p>" for words in SAID.findall(tag[0])), written)
    written = VALUE.sub(NEUTRAL, TAG.sub(" ", said))
    if mail:
        return [" ".join(block.split()) for block in written.split("\n\n") if re.search(r"[A-Za-z]{2}", block)]
    parser = _Words()
    parser.feed(written)
    parser.end_block()
    return parser.texts


def _help(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.keyword) and node.arg in {"help", "description"}:
            yield from _literal(node.value)
        if isinstance(node, ast.Assign) and [getattr(name, "id", "") for name in node.targets] == ["help"]:
            yield from _literal(node.value)


def _literal(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else NEUTRAL for part in node.values)


def _strings(path: Path) -> Iterator[str]:
    nodes = list(ast.walk(ast.parse(text_of(path))))
    silent = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
    silent |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in silent:
            yield from (words for words in _literal(node) if re.search(r"[A-Za-z] [A-Za-z]", words))


def _prose(page: str) -> Iterator[str]:
    page = re.sub(r"<[^>]+>", " ", FENCE.sub("\n\n", page))
    page = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", page)
    page = re.sub(r"`[^`]*`", NEUTRAL, page)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", page):
        lines = [line for line in block.strip().splitlines() if not line.lstrip().startswith(("|", "#", ">"))]
        text = re.sub(r"^(?:[-*]|\d+\.) ", "", " ".join(" ".join(lines).split()))
        if text:
            yield re.sub(r"[*_]", "", text)


def _spoken(data: Any, key: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            if name == "question" and data.get("basis") == "form":
                continue
            yield from _spoken(value, key if isinstance(value, str | list) and key == "labels" else name)
    elif isinstance(data, list):
        for value in data:
            yield from _spoken(value, key)
    elif isinstance(data, str) and key in SPOKEN:
        yield data


def _all_strings(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from () if name in NOT_READ else _all_strings(value)
    elif isinstance(data, list):
        for value in data:
            yield from _all_strings(value)
    elif isinstance(data, str):
        yield data


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(text_of(path))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))
