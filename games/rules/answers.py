"""One answer against its line: the right kind, within the limits, among what is printed, without hidden signs.

Not here: whether the line is asked and how answers go together (`evaluate`, `checks`).
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import NamedTuple

from games.rules.conditions import within
from games.rules.lists import TABLES_EXAMPLE, parse_tables
from games.rules.model import Answer, Chapter, Option
from games.rules.phrases import hidden_sign, quoted_answer


class Fault(NamedTuple):
    """The fault of an answer: the code of the rule, the message and the remedy."""

    rule: str
    message: str
    fix: str


_DECIMAL = {"money": re.compile(r"[0-9]{1,12}(\.[0-9]{1,2})?"), "percent": re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")}
_SAYS_NOTHING = {  # of a text, without spaces and punctuation: it names neither an approval nor an object nor a rule
    "asabove", "asapproved", "asrequired", "attached", "na", "nil", "no", "none", "nothing", "notapplicable",
    "notapproved", "notknown", "notyet", "ok", "okay", "pending", "sameasabove", "seeabove", "seeattached", "seenote",
    "tba", "tbd", "tobeannounced", "tobedetermined", "unknown", "yes",
}  # fmt: skip
_NO_APPROVAL_YET = re.compile(  # at the beginning of an answer, in small letters and without punctuation
    r"(?:await|awaiting|in (?:process|progress)|no approval|not (?:approved|required|yet)|pending|to (?:be|follow)"
    r"|under review|waiting|will (?:be|follow)|without approval|(?:applied|requested|submitted)(?!.* approved\b))\b"
)
_SHORTEST_NUMBER = 4  # digits of the number of an approval or an object, if nothing else is entered
_SHA256 = re.compile(r"[0-9a-f]{64}")
LARGEST = Decimal(10**9)  # where a line has no limit of its own: the interpretation note `technical-limit`
_EXPECTED = {
    "yes_no": "Yes or No (true or false)",
    "choice": "one of the choices",
    "count": "a whole number",
    "money": 'an amount in dollars and cents, such as "50000.00"',
    "percent": 'a percentage, such as "2.5"',
    "paytable": "the name of a paytable",
    "text": "a text",
    "attachment": "an attachment with its name, size and SHA-256",
}
_TEXTS = ("choice", "money", "percent", "paytable", "text")  # kinds whose answers are text, also if they are numbers


def is_blank(answer: object) -> bool:
    """Return True if the answer says nothing: none, or a text of spaces."""
    return answer is None or (isinstance(answer, str) and not answer.strip())


def fault(chapter: Chapter, option: Option, answer: object) -> Fault | None:
    """Return the fault of an answer that is given; None if it is right."""
    if not _has_kind(option, answer):
        return wrong_type(option, answer)
    look = _LOOKS.get(option.kind)
    return look(chapter, option, answer) if look else None  # type: ignore[arg-type]  # _has_kind has looked


def wrong_type(option: Option, answer: object) -> Fault:
    """Return the fault of an answer that does not have the type of its line."""
    met, expected = quoted_answer(answer), _EXPECTED[option.kind]
    if option.kind == "attachment":
        expected += ": what the upload of the file returned"
    if option.kind == "choice":
        expected = f"one of the choices ({', '.join(choice.value for choice in option.choices)})"
    if option.kind in ("yes_no", "count") and isinstance(answer, str):
        met, expected = f"the text {met}", f"{expected}, sent without quotation marks"
    if option.kind in _TEXTS and isinstance(answer, int | float) and not isinstance(answer, bool):
        met, expected = f"the number {answer}", f"{expected}, sent as text in quotation marks"
    return Fault(
        "wrong-type",
        f"“{option.question}” is answered with {met}; {_EXPECTED[option.kind]} is expected.",
        f"Answer with {expected}.",
    )


def _has_kind(option: Option, answer: object) -> bool:
    if option.kind == "yes_no":
        return isinstance(answer, bool)
    if option.kind == "count":
        return isinstance(answer, int) and not isinstance(answer, bool)
    if option.kind == "attachment":
        return _is_attachment(answer)
    if option.kind in _DECIMAL:
        return isinstance(answer, str) and bool(_DECIMAL[option.kind].fullmatch(answer))
    return isinstance(answer, str)


def _is_attachment(answer: object) -> bool:
    if not isinstance(answer, Mapping) or set(answer) != {"sha256", "name", "size"}:
        return False
    digest, name, size = answer["sha256"], answer["name"], answer["size"]
    return (
        isinstance(digest, str)
        and bool(_SHA256.fullmatch(digest))
        and isinstance(name, str)
        and 0 < len(name) <= 255
        and hidden_sign(name) is None
        and not set(name) & set("/\\\n\r\t")
        and isinstance(size, int)
        and not isinstance(size, bool)
        and size > 0
    )


def _choice(chapter: Chapter, option: Option, answer: Answer) -> Fault | None:
    values = {choice.value: choice.label for choice in option.choices}
    if answer in values:
        return None
    allowed = ", ".join(f"{label} ({value})" if label != value else value for value, label in values.items())
    return Fault(
        "not-a-choice",
        f"“{option.question}” is answered with {quoted_answer(answer)}, which is not among the choices.",
        f"Choose one of: {allowed}.",
    )


def _paytable(chapter: Chapter, option: Option, answer: Answer) -> Fault | None:
    names = [table.name for table in chapter.tables_of(option.wager)]
    if answer in names:
        return None
    wager = chapter.wager(option.wager)
    return Fault(
        "not-a-choice",
        f"{quoted_answer(answer)} is not a paytable printed for the {wager.name} ({option.citation}).",
        f"Choose one of: {', '.join(names)}.",
    )


def _number(chapter: Chapter, option: Option, answer: Answer) -> Fault | None:
    limits = option.limits
    least, most = limits.at_least or Decimal(0), limits.at_most or LARGEST
    if isinstance(answer, int) and abs(answer) > LARGEST:
        answer = f"a number of more than {len(str(LARGEST)) - 1} digits"
    elif within(str(answer), least, most):
        return None
    subject = limits.subject or f"“{option.question}”"
    allowed = f"{least:,f} to {most:,f} is allowed"
    reason = f"{limits.because} ({limits.citation})" if limits.because else allowed
    if limits.because and isinstance(answer, int) and answer < least:  # what bounds it may speak of the most only
        reason = f"{allowed}, as {reason}"
    return Fault("outside-limits", f"{subject} is {answer}; {reason}.", f"Enter a number from {least:,f} to {most:,f}.")


def _text(chapter: Chapter, option: Option, answer: Answer) -> Fault | None:
    text = str(answer)
    if hidden := hidden_sign(text):
        return Fault(
            "control-characters",
            f"“{option.question}” holds a control character or one that cannot be seen, {hidden}.",
            "Type the text again, or paste it as plain text.",
        )
    if len(text) > option.limits.longest:
        return Fault(
            "too-long",
            f"“{option.question}” is answered with {len(text):,} characters; {option.limits.longest:,} are allowed.",
            "Shorten the text, or put the details into an attachment.",
        )
    if option.limits.format == "tables":
        return _tables(option, text)
    return _names_nothing(option, text) if option.required else None


def _names_nothing(option: Option, text: str) -> Fault | None:
    """Return the fault of a text that must be given and names nothing. An approval must be prior to use (§ 461a.4)."""
    asks_for_approval, asks_for_object = (word in option.question for word in ("approval", "object"))
    if _says_nothing(text) or ((asks_for_approval or asks_for_object) and _is_short_number(text)):
        named = "nothing"
    elif asks_for_approval and _lacks_approval(text):
        named = "no approval"
    else:
        return None
    fix = "Write what the line asks for, or leave it empty until it is known."
    if asks_for_approval:
        fix = (
            "Enter the approval with its number or date, such as “Letter of March 3, 2026”. Until then, leave it empty."
        )
    message = f"“{option.question}” is answered with {quoted_answer(text)}, which names {named}."
    return Fault("names-nothing", message, fix)


def _says_nothing(text: str) -> bool:
    """Return whether the text has no letter or digit, only one letter, or only words such as "none"."""
    bare = _bare(text)
    return not bare or (len(bare) == 1 and bare.isalpha()) or bare in _SAYS_NOTHING


def _is_short_number(text: str) -> bool:
    bare = _bare(text)
    return bare.isdigit() and len(bare) < _SHORTEST_NUMBER


def _lacks_approval(text: str) -> bool:
    """Return whether the text has neither a number nor a date, or begins with words such as "applied for"."""
    words = "".join(sign if sign.isalnum() else " " for sign in text.casefold()).split()
    return not any(map(str.isdigit, text)) or bool(_NO_APPROVAL_YET.match(" ".join(words)))


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _tables(option: Option, text: str) -> Fault | None:
    try:
        problem = "" if parse_tables(text) else "it names no table"
    except ValueError as error:
        problem = str(error)
    if not problem:
        return None
    return Fault(
        "not-tables", f"“{option.question}” is answered with {quoted_answer(text)}: {problem}.", TABLES_EXAMPLE
    )


_LOOKS: Mapping[str, Callable[[Chapter, Option, Answer], Fault | None]] = {
    "choice": _choice,
    "paytable": _paytable,
    "count": _number,
    "money": _number,
    "percent": _number,
    "text": _text,
}
