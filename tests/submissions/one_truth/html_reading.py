"""What pages and printed HTML say: findings, tables, states. Read with lxml, by what a reader sees."""

from __future__ import annotations

import re
from typing import Any

from lxml import html

from tests.submissions.one_truth.ledger import Cells, Finding

Node = Any


def page_of(content: bytes | str) -> Node:
    return html.fromstring(content.decode() if isinstance(content, bytes) else content)


def by_class(node: Node, name: str) -> list[Node]:
    found: list[Node] = node.xpath(f".//*[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]")
    return found


def words(node: Node) -> str:
    """The text with single spaces."""
    return " ".join(str(node.text_content()).split())


def findings_in(node: Node) -> frozenset[Finding]:
    """Severity, message, fix and citation of each finding shown."""
    return frozenset(_finding(each) for each in by_class(node, "finding") if each.tag == "div")


def _finding(node: Node) -> Finding:
    severity = next(
        name.removeprefix("finding--") for name in node.get("class").split() if name.startswith("finding--")
    )
    heading = node.xpath(".//strong")[0]
    fix, section = by_class(node, "finding__fix"), by_class(node, "section")
    message = " ".join((heading.tail or "").split())
    return severity, message, words(fix[0]) if fix else "", words(section[0]) if section else ""


def cells_in(table: Node) -> Cells:
    """The rows of the table's bodies, each cell as text."""
    return [tuple(words(cell) for cell in row.xpath("./th|./td")) for row in table.xpath("./tbody/tr")]


def heads_in(table: Node) -> list[str]:
    return [words(cell) for cell in table.xpath("./thead/tr[last()]/*")]


def caption_of(table: Node) -> str:
    captions = table.xpath("./caption")
    return words(captions[0]) if captions else ""


def badge_in(page: Node) -> str:
    """The status beside the number of the submission."""
    return words(by_class(page, "heading__facts")[0].xpath("./*")[-1])


def first_number(text: str) -> str:
    match = re.search(r"[-−]?\d[\d,.]*", text)
    return match[0] if match else ""
