"""Values of answers: parsed from a form or a spreadsheet, cleaned for storage, indexed and compared once filed.

Input that makes no sense for the kind of line is stored as entered: the findings report what is wrong, and no input is
lost. Refused is only what no checklist can contain: unknown lines, control characters, files, values of a type that no
line takes. The index has a row for every answered line of a filing; the snapshot stays the truth, and
`submissions.search` looks up.

Two filings are equal if nothing differs but licensee, number, day of filing, and the tables that they are for: the same
chapter and rules, the same day whose rules judged them, the same planned effective day, and of each configuration in
order the same answers and findings. Table numbers, pits, names of table groups and the lines that list tables may
differ. A filing with a waived finding is equal to no other, since a waiver is one licensee's own.
"""

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from games.rules.answers import wrong_type
from games.rules.model import Answer, Answers, Chapter, Option
from submissions.core.digests import digest
from submissions.core.errors import Refusal
from submissions.core.text import WITH_THOUSANDS, clean_text, refuse_endless_number
from submissions.models import AnswersDigest, IndexedAnswer, Revision

ANSWER, SEEN = "answer-", "seen-"  # the fields of a form: what was entered; what the page last knew to be stored
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_AROUND = str.maketrans("", "", "$% \N{NO-BREAK SPACE}")


def parse_answer(option: Option, text: str) -> Answer:
    """Return one answer in the shape its kind is stored in."""
    text = text.replace("\r\n", "\n").strip()
    if not text:
        return None
    if option.kind == "yes_no":
        return {"yes": True, "no": False}.get(text.casefold(), text)
    if option.kind == "choice":
        return next((choice.value for choice in option.choices if text == choice.label), text)
    if option.kind == "count":
        return int(text) if _WHOLE.fullmatch(text) else text
    if option.kind in ("money", "percent"):
        return _decimal(text)
    return text


def format_answer(answer: Answer) -> str:
    """Return the answer as the value of an input."""
    if answer is None or isinstance(answer, Mapping):
        return ""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer)


def posted_answers(chapter: Chapter, form: Mapping[str, str]) -> dict[str, Answer]:
    """Return the answers in the form; a line that it does not contain is not there."""
    return {
        option.key: parse_answer(option, form[ANSWER + option.key])
        for option in chapter.options
        if option.kind != "attachment" and ANSWER + option.key in form
    }


def seen_answers(chapter: Chapter, form: Mapping[str, str]) -> dict[str, Answer]:
    """Return the answers that this page last knew to be stored; one that cannot be read counts as never seen."""
    return {
        option.key: deserialize_answer(form[SEEN + option.key])
        for option in chapter.options
        if SEEN + option.key in form
    }


def serialize_answer(answer: Answer) -> str:
    """Return the answer as a hidden field carries it."""
    return json.dumps(answer, sort_keys=True)


def deserialize_answer(text: str) -> Answer:
    """Return the answer that a hidden field carried; what cannot be read counts as none."""
    try:
        answer: Answer = json.loads(text)
    except (ValueError, RecursionError):  # nested beyond reason: the form was forged
        return None
    return answer


def _decimal(text: str) -> str:
    bare = text.translate(_AROUND)
    if WITH_THOUSANDS.fullmatch(bare):  # "1,00" stays as it is: both 100 and 1.00 would be a guess
        bare = bare.replace(",", "")
    try:
        return bare if Decimal(bare).is_finite() else text
    except InvalidOperation:
        return text


NUMBERS = ("count", "money", "percent")  # the kinds of line that take a number


def clean_answers(chapter: Chapter, changes: Answers) -> tuple[dict[str, Answer], dict[str, Refusal]]:
    """Return the answers in the form that is stored, and the refusals of those that cannot be."""
    cleaned: dict[str, Answer] = {}
    refusals: dict[str, Refusal] = {}
    for key, answer in changes.items():
        try:
            cleaned[key] = _clean_answer(_known_line(chapter, key), answer)
        except Refusal as refusal:
            refusals[key] = refusal
    return cleaned, refusals


def _known_line(chapter: Chapter, key: str) -> Option:
    try:
        option = chapter.option(key)
    except StopIteration:
        raise Refusal("unknown-line/answer", option=key, number=chapter.number, name=key) from None
    if option.kind == "attachment":
        raise Refusal("file-expected", option=key, question=option.question)
    return option


def _clean_answer(option: Option, answer: Answer) -> Answer:
    """Return the answer in the form that is stored; `Refusal` if it cannot be stored."""
    where = f"“{option.question}”"
    if answer is None or isinstance(answer, bool):
        return answer
    if not isinstance(answer, str | int):  # 1.5, for example: in the words of the finding on the same text
        fault = wrong_type(option, answer)
        raise Refusal("answer-shape", fault.message, fix=fault.fix, option=option.key, citation=option.citation)
    if option.kind in NUMBERS or isinstance(answer, int):
        refuse_endless_number(answer, where, option=option.key)
    if isinstance(answer, int):
        return answer
    return clean_text(answer, where, option=option.key, citation=option.citation) or None


LONGEST_INDEXED = 200  # characters of a value; longer text is cut
_NUMBER = re.compile(r"\d+(\.\d+)?")


def index_answers(revision: Revision) -> list[IndexedAnswer]:
    """Store the rows of a revision that was just frozen, inside its transaction."""
    return IndexedAnswer.objects.bulk_create(
        IndexedAnswer(revision=revision, configuration=configuration, option=option, value=value)
        for configuration, option, value in answer_rows(revision.content)
    )


def answer_rows(content: Mapping[str, Any]) -> Iterator[tuple[int, str, str]]:
    """Yield (configuration, option, value) of every line of a snapshot that was answered."""
    for place, configuration in enumerate(content["configurations"]):
        for option, answer in configuration["answers"].items():
            if value := indexed_value(answer):
                yield place, option, value


def indexed_value(answer: Answer) -> str:
    """Return an answer in the one form in which it is looked up: $50,000.00 is 50000, a file is its name."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, Mapping):
        return str(answer.get("name", ""))[:LONGEST_INDEXED]
    text = "" if answer is None else str(answer).strip()
    if _NUMBER.fullmatch(text) and "." in text:
        return text.rstrip("0").rstrip(".")[:LONGEST_INDEXED]
    return text[:LONGEST_INDEXED]


def store_answers_digest(revision: Revision) -> None:
    """Store the digest of a revision that was just frozen, inside its transaction."""
    if sha256 := answers_digest(revision.content):
        AnswersDigest.objects.create(revision=revision, sha256=sha256)


def answers_digest(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what equal filings share; "" for a filing that equals no other."""
    configurations = content["configurations"]
    if any("waiver" in finding for row in configurations for finding in row["findings"]):
        return ""
    return digest(
        {
            "chapter": content["chapter"]["number"],
            "rules_digest": content["rules_digest"],
            "rules_on": content.get("rules_on"),
            "takes_effect": content.get("takes_effect"),
            "configurations": [_shared(row) for row in configurations],
        }
    )


def table_answers(configuration: Mapping[str, Any]) -> dict[str, str]:
    """Return the lines that list tables, question → answer: the answers that may differ."""
    lines = configuration["lines"]
    return {line["question"]: line["answer"] for line in lines if line["lists_tables"] and line["answer"]}


def _shared(configuration: Mapping[str, Any]) -> dict[str, Any]:
    own = {line["key"] for line in configuration["lines"] if line["lists_tables"]}
    return {
        "answers": {key: answer for key, answer in configuration["answers"].items() if key not in own},
        "findings": sorted((finding["rule"], finding["severity"]) for finding in configuration["findings"]),
        "group": configuration["group"],
    }
