"""How sections are named: short in the data (`.12(d)`), in full everywhere else (`§ 687a.12(d)`)."""

import re
from collections.abc import Iterator

_PLACES = re.compile(r"(?:§ (\w+))?(\.\d+)((?:\([a-zA-Z0-9]+\))*)(?:\(\{\}\))?((?:, (?:\([a-zA-Z0-9]+\))+)*)")

_STEP = re.compile(r"\([a-zA-Z0-9]+\)")


def cite(short: str, number: str) -> str:
    """The full citation: `.12(d)` of 687a → `§ 687a.12(d)`; `601a.2` → `§ 601a.2`; a full one stays."""
    if short.startswith("."):
        return f"§ {number}{short}"
    return short if short.startswith("§") else f"§ {short}"


def cited_places(text: str, number: str) -> Iterator[str]:
    """The places that a text which is nothing but a citation names, in full: `.4(d)(1), (2)` names two.

    `({})` at the end, where the code puts in a number, is left out. Of another text, or another chapter's, none.
    """
    cited = _PLACES.fullmatch(text)
    if not cited or cited[1] not in (None, number):
        return
    yield f"§ {number}{cited[2]}{cited[3]}"
    steps = _STEP.findall(cited[3])
    for path in cited[4].split(", ")[1:]:
        same = steps[: len(steps) - len(_STEP.findall(path))]
        yield f"§ {number}{cited[2]}{''.join(same)}{path}"
