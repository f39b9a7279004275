"""Words that people type, in the form in which they are stored; numbers as sentences show them."""

import json
import re
import unicodedata
from decimal import Decimal, InvalidOperation

from submissions.core.errors import Refusal

LONGEST_TEXT = 10_000  # characters; the checklist's own limits are findings, this one protects the store
LONGEST_SHOWN = 60  # characters of a value in a message
LONGEST_NUMBER = 30  # digits before and after the point, written out
# Embeddings, overrides and isolates: what follows them is printed in another order than it is stored and signed.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_text(text: str, where: str, *, option: str = "", citation: str = "") -> str:
    """Return the text in composed form, without space around it; `where` is named in a refusal."""
    clean = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    if character := next(filter(_cannot_be_printed, clean), ""):
        raise Refusal(
            "control-characters/text", option=option, citation=citation, where=where, code_point=ord(character)
        )
    if len(clean) > LONGEST_TEXT:
        fix = "Attach a document for longer text." if option else "Shorten it."
        raise Refusal("text-too-long", option=option, fix=fix, where=where, count=len(clean), longest_text=LONGEST_TEXT)
    return clean


def clean_name(name: str, *, most: int, missing: str, fix: str) -> str:
    """Return a name in one line, of up to `most` characters; refuse an empty one with `missing` and `fix`."""
    clean = " ".join(clean_text(name, "The name", option="name").split())
    if not clean:
        raise Refusal("name-missing", missing, fix=fix, option="name")
    if len(clean) > most:
        raise Refusal("name-too-long", option="name", count=len(clean), longest_name=most)
    return clean


def refuse_endless_number(answer: str | int, where: str, *, option: str) -> None:
    """Refuse a number like 1E+999999999: a few signs that would fill the memory when they are written out."""
    try:
        number = Decimal(answer)
    except InvalidOperation:  # kept as typed: the findings say what is wrong
        return
    _, digits, exponent = number.as_tuple()
    if isinstance(exponent, int) and len(digits) + abs(exponent) > LONGEST_NUMBER:
        raise Refusal("number-too-long", option=option, where=where, longest_number=LONGEST_NUMBER)


def _cannot_be_printed(sign: str) -> bool:
    return sign in _REORDERING or (unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t")


def shown_value(value: object) -> str:
    """Return a value of JSON as it was sent, not too long: the text "3" has its quotation marks, the number 3 none."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def counted(count: int, noun: str) -> str:
    """Return "1 line", "3,000 lines"; for nouns whose plural adds an s."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


WITH_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?", re.ASCII)
