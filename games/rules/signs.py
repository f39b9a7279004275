"""Characters that a text may not contain because they are invisible, and how a doubtful text is shown in a message."""

import reprlib
import unicodedata

_LONGEST_SHOWN = 60


def hidden_sign(text: str) -> str | None:
    """The first control, formatting or unassigned character ("U+202E at place 7"); line breaks and tabs are no such."""
    for place, sign in enumerate(text, start=1):
        if sign not in "\n\r\t" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn"):
            return f"U+{ord(sign):04X} at place {place}"
    return None


def quoted_answer(answer: object) -> str:
    """An answer for a message: short, in quotation marks, without anything that could disturb the line."""
    text = answer if isinstance(answer, str) else _bounded(answer)
    visible = "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: _LONGEST_SHOWN + 1]
    )
    return f"“{visible[:_LONGEST_SHOWN]}…”" if len(visible) > _LONGEST_SHOWN else f"“{visible}”"


def _bounded(answer: object) -> str:
    """A representation that stays short however long or deep the answer is."""
    try:
        return reprlib.repr(answer)
    except ValueError:  # an integer of thousands of digits
        return "a very long number"
