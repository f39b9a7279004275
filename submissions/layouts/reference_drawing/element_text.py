"""Facts about an area from the chapter's words: its number of cards, its dice or numbers.

Also the inscriptions inside an area: those whose key begins like the area's, or whose section is below it.
"""

import re

from submissions.layouts.required_elements import RequiredElement

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_COUNTED = re.compile(r"\b(one|two|three|four|five|six|seven)\b[A-Za-z' -]*?\bcards?\b")
_DIE = re.compile(r"(?:value of|one of) (\d|one|two|three|four|five|six)\b")
_SHOWN = re.compile(r"shows the numbers? ([\d, and]+)")


def _value(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def cards(element: RequiredElement) -> int:
    """The number of its cards: “An area for the dealer's six cards”; 0 if it is not stated."""
    if "." in element.key:  # one of several
        return 1
    return counted_cards(element)


def counted_cards(element: RequiredElement) -> int:
    """The number of cards in its words."""
    match = _COUNTED.search(element.element)
    return _value(match[1]) if match else 1 if "card" in element.element and "hand" not in element.element else 0


def is_cross(element: RequiredElement) -> bool:
    return element.kind == "card_area" and "cross" in element.element


def dice(element: RequiredElement) -> tuple[int, ...]:
    """The faces of the dice that it shows."""
    if element.kind != "area" or not re.search(r"\bdie\b|\bdice\b", element.element):
        return ()
    faces = [_value(face) for face in _DIE.findall(element.element)]
    return tuple(faces * 2 if len(faces) == 1 and "two dice" in element.element else faces)


def numbers(element: RequiredElement) -> tuple[str, ...]:
    match = _SHOWN.search(element.element) if element.kind == "area" else None
    return tuple(re.findall(r"\d+", match[1])) if match else ()


def circled(element: RequiredElement) -> tuple[str, ...]:
    match = re.search(r"with the (\d+) and the (\d+) circled", element.element)
    return match.groups() if match else ()


def is_inside(inscription: RequiredElement, area: RequiredElement) -> bool:
    if inscription.kind != "inscription":
        return False
    if area.kind == "box":
        return inscription.key.startswith(f"{area.key}_")
    if area.kind == "card_area":
        return inscription.key == area.key.removesuffix("_area") + "_inscription"
    return area.kind == "area" and inscription.citation.startswith(f"{area.citation}(")


def is_diagram(element: RequiredElement) -> bool:
    return "diagram" in element.key
