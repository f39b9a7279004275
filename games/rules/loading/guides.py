"""`guide.toml`: the text of a game for its players, the rules that are not tables, in plain words with their sections.

Read strictly: an unknown key, section, option or wager is refused. Every sentence follows the chapter's text. Not
here: the wagers offered and their paytables, the page.

    missing  the reason for no guide, if the chapter's text is not available: then there is only a sign
    object   what the player tries to do; `at`: the sections that say so
    step     one step of a round in order, `if` the answers call for it
    fixed    the payout of a wager that has no paytable of its own
    beneath  what sign and guide print beneath the paytable of a `wager`
    size     how much a `wager` is, in the words of the answers that it names; until they are known, and for every
             other wager, the rule of its size is that of `rules.toml`
    notice   the text of the layout element of that key, if the chapter does not give its wording
    at_this_table
             the sentence on the answer to an `option`, for a player; `answer`: only on true, or on false; `unless`:
             not if one of these options is answered Yes; the chapter's own replace the common ones on the option
    player_may
             the wagers that every table has and a player need not place
    no_sentence
             `readings` that no sentence needs, and `why`

In a sentence, `{from:wager}` is the lowest row that the wager's paytable in use pays, `{returned:wager}` the rows that
return the wager, `{amount:wager}` the amount of the wager: what wins is never typed. An interpretation note that
touches a wager or a paytable settles play: a sentence follows it and names it in `readings`, or `no_sentence` says why
not; else the file is refused.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from games.rules.citations import cite
from games.rules.errors import RuleError
from games.rules.loading.conditions import read_condition
from games.rules.loading.fields import Fields
from games.rules.model import Chapter, Reading
from games.rules.words import (
    CommonWords,
    FixedPayout,
    GuideText,
    Sentence,
    TableSentence,
    named_options,
    named_wagers,
)

_Record = TypeVar("_Record")


def read_guide(chapter: Chapter, data: Mapping[str, Any], file: str, shared: CommonWords) -> GuideText:
    """The text of the file; the sentences on answers that many chapters share come first."""
    top = Fields(file, "top of the file", data, chapter.number, chapter.sections)
    missing = top.text("missing", "")
    about = None if missing else _fields(top, top.take("object", dict), "object")
    elements = [element.key for element in chapter.layout]
    wagers = [wager.key for wager in chapter.wagers]
    own = _rows(top, "at_this_table", lambda row: _own_table_sentence(row, chapter))
    text = GuideText(
        missing=missing,
        object=_sentence(about, chapter) if about else None,
        steps=_rows(top, "step", lambda row: _sentence(row, chapter)),
        fixed=_rows(top, "fixed", lambda row: _fixed(row, chapter)),
        notices=_rows(top, "notice", lambda row: (row.one_of("element", elements), _sentence(row, chapter))),
        at_this_table=(*_not_replaced(shared.at_this_table, own), *own),
        beneath=_rows(top, "beneath", lambda row: (row.one_of("wager", wagers), _sentence(row, chapter))),
        sizes=_rows(top, "size", lambda row: (row.one_of("wager", wagers), _sentence(row, chapter))),
        player_may=_known_wagers(top, top.texts("player_may"), wagers),
        no_sentence=dict(pair for row in _rows(top, "no_sentence", _no_sentence) for pair in row),
    )
    top.refuse_unknown()
    paid = {payout.wager for payout in text.fixed} | {table.wager for table in chapter.paytables}
    if bare := [wager.key for wager in chapter.wagers if wager.key not in paid]:
        top.refuse(f"nothing says what these wagers pay: {', '.join(bare)}")
    if not missing:
        _refuse_unfollowed(top, chapter, text)
    return text


def _rows(top: Fields, key: str, read_row: Callable[[Fields], _Record]) -> tuple[_Record, ...]:
    rows = top.take(key, list, [])
    return tuple(read_row(_fields(top, row, f"{key} {count}")) for count, row in enumerate(rows, start=1))


def _fields(top: Fields, table: Mapping[str, Any], where: str) -> Fields:
    return Fields(top.file, where, table, top.number, top.sections)


def _sentence(row: Fields, chapter: Chapter) -> Sentence:
    sentence = Sentence(row.text("words"), _sections(row), read_condition(row, "if"), row.texts("readings"))
    row.refuse_unknown()
    _refuse_unknown_options(row, chapter, sentence.condition.options() | named_options(sentence.words))
    _known_wagers(row, named_wagers(sentence.words), [table.wager for table in chapter.paytables])
    return sentence


def _known_wagers(row: Fields, named: Collection[str], wagers: Collection[str]) -> tuple[str, ...]:
    if unknown := set(named) - set(wagers):
        row.refuse(f"it names {', '.join(sorted(unknown))}, which is not a wager here, or has no paytable")
    return tuple(named)


def _no_sentence(row: Fields) -> tuple[tuple[str, str], ...]:
    why, readings = row.text("why"), row.texts("readings")
    row.refuse_unknown()
    return tuple((reading, why) for reading in readings)


def _refuse_unfollowed(top: Fields, chapter: Chapter, text: GuideText) -> None:
    """Every interpretation note that settles play is followed by a sentence, or has a reason for none; no other is."""
    sentences = (text.object, *text.steps, *text.fixed, *text.at_this_table)
    rows = [*(row for row in sentences if row), *(row for _, row in (*text.notices, *text.beneath, *text.sizes))]
    followed = {reading for row in rows for reading in row.readings}
    known = {reading.id.removeprefix(f"{chapter.number}."): reading for reading in chapter.readings}
    settling = {key for key, reading in known.items() if settles_play(chapter, reading)}
    if unknown := sorted((followed | text.no_sentence.keys()) - known.keys()):
        top.refuse(f"`readings` names {unknown[0]}, which is not an interpretation note of the chapter")
    if both := sorted(followed & text.no_sentence.keys()):
        top.refuse(f"a sentence follows the interpretation note {both[0]}, and `no_sentence` says that none does")
    if silent := sorted(settling - followed - text.no_sentence.keys()):
        top.refuse(f"no sentence follows the interpretation note {silent[0]}, and `no_sentence` does not say why")


def settles_play(chapter: Chapter, reading: Reading) -> bool:
    """Whether the interpretation note touches a wager or a paytable."""
    wagers = {wager.key for wager in chapter.wagers}
    return any(name in wagers or "/" in name for name in reading.touches)


def read_table_sentence(row: Fields) -> TableSentence:
    """The row of `at_this_table`, here or in `common.toml`; whether the chapter asks its option is not checked."""
    sentence = TableSentence(
        row.text("option"), row.text("words"), row.flag("answer", None), row.texts("unless"), row.texts("readings")
    )
    row.refuse_unknown()
    return sentence


def _not_replaced(shared: Sequence[TableSentence], own: Sequence[TableSentence]) -> tuple[TableSentence, ...]:
    """The common sentences on options that the chapter has no sentence of its own for."""
    replaced = {sentence.option for sentence in own}
    return tuple(sentence for sentence in shared if sentence.option not in replaced)


def _own_table_sentence(row: Fields, chapter: Chapter) -> TableSentence:
    sentence = read_table_sentence(row)
    _refuse_unknown_options(row, chapter, {sentence.option, *sentence.unless} | named_options(sentence.words))
    return sentence


def _refuse_unknown_options(row: Fields, chapter: Chapter, named: Collection[str]) -> None:
    if unknown := set(named) - {option.key for option in chapter.options}:
        row.refuse(f"it hangs on {', '.join(sorted(unknown))}, which the chapter does not ask")


def _fixed(row: Fields, chapter: Chapter) -> FixedPayout:
    wager = row.one_of("wager", [wager.key for wager in chapter.wagers])
    payout = FixedPayout(wager, row.text("pays"), _sections(row), row.texts("readings"))
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
