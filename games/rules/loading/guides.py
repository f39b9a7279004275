"""`guide.toml`: the text of a game for its players, the rules that are not tables, in plain words with their sections.

Read strictly: an unknown key, section, option or wager is refused. Every sentence follows the chapter's text. Not
here: the wagers offered and their paytables, the page.

    missing  the reason for no guide, if the chapter's text is not available: then there is only a sign
    object   what the player tries to do; `at`: the sections that say so
    step     one step of a round in order, `if` the answers call for it
    fixed    the payout of a wager that has no paytable of its own
    notice   the text of the layout element of that key, if the chapter does not give its wording
    at_this_table
             the sentence on the answer to an `option`, for a player; `answer`: only on true, or on false
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from games.rules.citations import cite
from games.rules.errors import RuleError
from games.rules.loading.conditions import read_condition
from games.rules.loading.fields import Fields
from games.rules.model import Chapter
from games.rules.words import CommonWords, FixedPayout, GuideText, Sentence, TableSentence, named_options

_Record = TypeVar("_Record")


def read_guide(chapter: Chapter, data: Mapping[str, Any], file: str, shared: CommonWords) -> GuideText:
    """The text of the file; the sentences on answers that many chapters share come first."""
    top = Fields(file, "top of the file", data, chapter.number, chapter.sections)
    missing = top.text("missing", "")
    about = None if missing else _fields(top, top.take("object", dict), "object")
    elements = [element.key for element in chapter.layout]
    text = GuideText(
        missing=missing,
        object=_sentence(about, chapter) if about else None,
        steps=_rows(top, "step", lambda row: _sentence(row, chapter)),
        fixed=_rows(top, "fixed", lambda row: _fixed(row, chapter)),
        notices=_rows(top, "notice", lambda row: (row.one_of("element", elements), _sentence(row, chapter))),
        at_this_table=(
            *shared.at_this_table,
            *_rows(top, "at_this_table", lambda row: _own_table_sentence(row, chapter)),
        ),
    )
    top.refuse_unknown()
    paid = {payout.wager for payout in text.fixed} | {table.wager for table in chapter.paytables}
    if bare := [wager.key for wager in chapter.wagers if wager.key not in paid]:
        top.refuse(f"nothing says what these wagers pay: {', '.join(bare)}")
    return text


def _rows(top: Fields, key: str, read_row: Callable[[Fields], _Record]) -> tuple[_Record, ...]:
    rows = top.take(key, list, [])
    return tuple(read_row(_fields(top, row, f"{key} {count}")) for count, row in enumerate(rows, start=1))


def _fields(top: Fields, table: Mapping[str, Any], where: str) -> Fields:
    return Fields(top.file, where, table, top.number, top.sections)


def _sentence(row: Fields, chapter: Chapter) -> Sentence:
    sentence = Sentence(row.text("words"), _sections(row), read_condition(row, "if"))
    row.refuse_unknown()
    _refuse_unknown_options(row, chapter, sentence.condition.options() | named_options(sentence.words))
    return sentence


def read_table_sentence(row: Fields) -> TableSentence:
    """The row of `at_this_table`, here or in `common.toml`; whether the chapter asks its option is not checked."""
    sentence = TableSentence(row.text("option"), row.text("words"), row.flag("answer", None))
    row.refuse_unknown()
    return sentence


def _own_table_sentence(row: Fields, chapter: Chapter) -> TableSentence:
    sentence = read_table_sentence(row)
    _refuse_unknown_options(row, chapter, {sentence.option} | named_options(sentence.words))
    return sentence


def _refuse_unknown_options(row: Fields, chapter: Chapter, named: Collection[str]) -> None:
    if unknown := set(named) - {option.key for option in chapter.options}:
        row.refuse(f"it hangs on {', '.join(sorted(unknown))}, which the chapter does not ask")


def _fixed(row: Fields, chapter: Chapter) -> FixedPayout:
    payout = FixedPayout(row.one_of("wager", [wager.key for wager in chapter.wagers]), row.text("pays"), _sections(row))
    row.refuse_unknown()
    return payout


def _sections(row: Fields) -> tuple[str, ...]:
    citations = tuple(cite(short, row.number) for short in row.texts("at"))
    for citation in citations:
        if citation not in row.sections:
            row.refuse(f"`at` names {citation}, which the chapter's text does not have")
    if not citations:
        raise RuleError(row.file, row.where, "`at` is empty; every sentence names its section")
    return citations
