"""The words of a chapter for layout, payout sign and gaming guide.

Here are the records, and strict reading of `labels.toml`, `guide.toml` and the parts of `common.toml` that they use.
They are read when first needed: the rules load without them.

An unknown key, element, section, option or wager is refused. `labels.toml`, the words by which areas, devices and odds
are known on a drawing, if `layout.toml` has none:

    labels  of an area, several if one element is several areas; an empty list if nothing is to be read on it. An area
            that is not named has the name of its wager, without “Wager”. A label differs from what is inscribed
            elsewhere on the layout wherever the regulation's own names allow it
    odds    what the chapter says in a sentence and not in a table: the outcome, what it pays, the section
    says    words that say what the chapter demands without giving its words; the reviewer may accept others. Also the
            name of a box or device, if the `[names]` of `common.toml` do not have it
    progressive
            how the answer to an option is called beneath a progressive paytable

`guide.toml`, the text of a game for its players, the rules that are not tables, in plain words with their sections.
Every sentence follows the chapter's text.

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

`common.toml` has the short `names` of boxes and devices, and the entries `progressive` and `at_this_table` of options
that many chapters have. Not here: the rules (`loader`), the elements that a configuration calls for, the page.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from string import Formatter
from typing import Any, TypeVar

from games.rules.changes import RuleChange, changed_words, ordered
from games.rules.errors import RuleError
from games.rules.files import (
    COMMON,
    GUIDE,
    LABELS,
    TOP,
    Fields,
    data_digest,
    label,
    read_condition,
    read_toml,
    shared_file,
)
from games.rules.model import ALWAYS, Chapter, Citations, Condition, Reading
from games.rules.sections import cite

AREAS = ("area", "card_area")
"""The kinds of layout elements that have labels."""
PAYTABLE_WORDS = ("from", "returned", "amount")
"""The words by which a sentence names the paytable in use: `{from:ante}`, `{returned:ante}`, `{amount:ante}`."""


@dataclass(frozen=True, slots=True)
class OddsSentence:
    """Odds that the chapter states in a sentence."""

    outcome: str
    pays: str
    citation: str


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of areas, devices and odds, by the key of the element, wager or option."""

    areas: Mapping[str, tuple[str, ...]]  # a label for each area of the element; () if nothing is to be read there
    odds: Mapping[str, OddsSentence]
    suggested: Mapping[str, str]  # words that the element may show, or its name
    progressive: Mapping[str, str]  # how the answer is called beneath a progressive paytable


@dataclass(frozen=True, slots=True)
class Sentence:
    """Plain words with the sections and the interpretation notes that they follow.

    `{option}` is replaced by its answer in words, `{from:wager}`, `{returned:wager}` and `{amount:wager}` by what the
    wager's paytable in use says (`phrases`).
    """

    words: str
    at: Citations
    condition: Condition = ALWAYS
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableSentence:
    """A sentence of the guide on an answer, under “At this table”; `answer` is None for a sentence on any answer.

    `{option}` is replaced by its answer as entered. Of several sentences for one option, the first applies whose
    options are all answered, and of whose `unless` none is answered Yes.
    """

    option: str
    words: str
    answer: bool | None = None
    unless: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedPayout:
    """The payout of a wager that no paytable has: `1 to 1`, or words if it is not paid by odds."""

    wager: str
    pays: str
    at: Citations
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GuideText:
    """The text of a game for its players. `object` is None if `missing` has a reason."""

    missing: str
    object: Sentence | None
    steps: tuple[Sentence, ...]
    fixed: tuple[FixedPayout, ...]
    notices: tuple[tuple[str, Sentence], ...]  # (key of an element of the layout, its text)
    at_this_table: tuple[TableSentence, ...]
    beneath: tuple[tuple[str, Sentence], ...] = ()  # (key of a wager, what is printed beneath its paytable)
    sizes: tuple[tuple[str, Sentence], ...] = ()  # (key of a wager, its size, once the answers that it names are known)
    player_may: tuple[str, ...] = ()  # keys of wagers at every table that a player need not place
    no_sentence: Mapping[str, str] = field(default_factory=dict)  # interpretation note → why no sentence is needed


@dataclass(frozen=True, slots=True)
class CommonWords:
    """One chapter's part of the words that many chapters share; the fields are as in `Labels` and `GuideText`."""

    names: Mapping[str, str] = field(default_factory=dict)
    progressive: Mapping[str, str] = field(default_factory=dict)
    at_this_table: tuple[TableSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class ChapterWords:
    """Everything that the papers of one chapter say and its rules do not."""

    labels: Labels
    guide: GuideText
    digest: str  # SHA-256 of the two data files and of the common words in use


def named_options(words: str) -> frozenset[str]:
    """Return the options whose answers the words contain, in braces."""
    return frozenset(name for name, _ in _placeholders(words) if name not in PAYTABLE_WORDS)


def named_wagers(words: str) -> frozenset[str]:
    """Return the wagers of whose paytables the words contain rows: `{from:ante}`."""
    return frozenset(wager for name, wager in _placeholders(words) if name in PAYTABLE_WORDS)


def _placeholders(words: str) -> list[tuple[str, str]]:
    return [(name, spec or "") for _, name, spec, _ in Formatter().parse(words) if name is not None]


@dataclass(frozen=True, slots=True)
class WordFiles:
    """The sources of a chapter's words on one day: its folder, and the changes until that day (None: all)."""

    folder: Path
    on: date | None
    changes: tuple[RuleChange, ...]


def word_files(chapter: Chapter) -> WordFiles:
    """Return the sources of the chapter's words; `RuleError` if it was not read from a folder."""
    if not isinstance(chapter.words_from, WordFiles):
        raise RuleError(chapter.number, "words", "this chapter was not read from a folder")
    return chapter.words_from


def load_words(chapter: Chapter) -> ChapterWords:
    """Return the chapter's words on its day; `RuleError` if a file is missing or does not fit the chapter."""
    source = word_files(chapter)
    folder = source.folder
    labels, guide = word_files_on(source)
    shared = _common_words(chapter, read_toml(shared_file(folder, COMMON)))
    return ChapterWords(
        labels=read_labels(chapter, labels, label(folder / LABELS), shared),
        guide=read_guide(chapter, guide, label(folder / GUIDE), shared),
        digest=data_digest({LABELS: labels, GUIDE: guide, COMMON: asdict(shared)}),
    )


def word_files_on(source: WordFiles) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the tables of `labels.toml` and of `guide.toml` on the day."""
    files: dict[str, Mapping[str, Any]] = {name: read_toml(source.folder / name) for name in (LABELS, GUIDE)}
    for change in ordered(source.changes):
        if source.on is None or change.effective <= source.on:
            files = changed_words(files, change)
    return files[LABELS], files[GUIDE]


def _common_words(chapter: Chapter, data: Mapping[str, Any]) -> CommonWords:
    """Return the entries that concern elements and options of this chapter; every entry must be in order."""
    top = Fields(COMMON, TOP, data)
    devices = [element.key for element in chapter.layout if element.kind in ("box", "device")]
    sentences = top.each("at_this_table", lambda row: row.record(TableSentence))
    return CommonWords(
        names=_entries(top, "names", devices),
        progressive=_entries(top, "progressive", amount_keys(chapter)),
        at_this_table=tuple(sentence for sentence in sentences if sentence.option in chapter.option_keys),
    )


def _entries(top: Fields, key: str, used: Collection[str]) -> dict[str, str]:
    table = top.inner(key, {})
    return {name: text for name, text in read_entries(table, table.table, table.text).items() if name in used}


_Entry = TypeVar("_Entry")


def read_labels(chapter: Chapter, data: Mapping[str, Any], file: str, shared: CommonWords) -> Labels:
    """Return the words of the file, and those that many chapters share."""
    top = Fields(file, TOP, data, chapter.number, chapter.sections)
    labels, odds, says, progressive = (top.inner(key, {}) for key in ("labels", "odds", "says", "progressive"))
    top.refuse_unknown()
    areas = _wager_names(chapter)
    unworded = {element.key for element in chapter.layout if element.kind not in AREAS and not element.wording}
    return Labels(
        areas=areas | read_entries(labels, areas, labels.texts),
        odds=read_entries(odds, chapter.wager_keys, lambda key: _odds_sentence(odds, key)),
        suggested={**shared.names, **read_entries(says, unworded, says.text)},
        progressive={**shared.progressive, **read_entries(progressive, amount_keys(chapter), progressive.text)},
    )


def amount_keys(chapter: Chapter) -> list[str]:
    """Return the options that are answered by an amount or a rate."""
    return [option.key for option in chapter.options if option.kind in ("money", "percent")]


def read_entries(table: Fields, known: Collection[str], read: Callable[[str], _Entry]) -> dict[str, _Entry]:
    """Return the table's entries; none may have another key, or a text that is empty or has space around it."""
    table.read_keys |= set(known)
    table.refuse_unknown()
    entries = {key: read(key) for key in table.table}
    for key, value in table.table.items():
        if any(text.strip() != text or not text for text in ([value] if isinstance(value, str) else value)):
            table.refuse(f"`{key}` is {value!r}: a text is empty or has space around it")
    return entries


def _wager_names(chapter: Chapter) -> dict[str, tuple[str, ...]]:
    areas = (element for element in chapter.layout if element.kind in AREAS)
    return {area.key: (chapter.wager(area.wager).name.removesuffix(" Wager"),) if area.wager else () for area in areas}


def _odds_sentence(table: Fields, key: str) -> OddsSentence:
    row = table.texts(key)
    if len(row) != 3 or row[1] not in table.sections.get(cite(row[2], table.number), ""):
        table.refuse(f"`{key}` is {row!r}: outcome, odds and a section that states them are expected")
    return OddsSentence(row[0], row[1], cite(row[2], table.number))


def read_guide(chapter: Chapter, data: Mapping[str, Any], file: str, shared: CommonWords) -> GuideText:
    """Return the text of the file; the sentences on answers that many chapters share come first."""
    top = Fields(file, TOP, data, chapter.number, chapter.sections)
    missing = top.text("missing", "")
    about = None if missing else top.inner("object")
    elements = [element.key for element in chapter.layout]
    wagers = chapter.wager_keys
    own = top.each("at_this_table", lambda row: _own_table_sentence(row, chapter))
    replaced = {sentence.option for sentence in own}
    text = GuideText(
        missing=missing,
        object=_sentence(about, chapter) if about else None,
        steps=top.each("step", lambda row: _sentence(row, chapter)),
        fixed=top.each("fixed", lambda row: row.record(FixedPayout, wager=row.one_of("wager", wagers))),
        notices=top.each("notice", lambda row: (row.one_of("element", elements), _sentence(row, chapter))),
        at_this_table=(*(row for row in shared.at_this_table if row.option not in replaced), *own),
        beneath=top.each("beneath", lambda row: (row.one_of("wager", wagers), _sentence(row, chapter))),
        sizes=top.each("size", lambda row: (row.one_of("wager", wagers), _sentence(row, chapter))),
        player_may=top.texts("player_may"),
        no_sentence=dict(pair for row in top.each("no_sentence", _no_sentence) for pair in row),
    )
    for table in (top, about) if about else (top,):
        table.refuse_unknown()
    top.names("the wager of `player_may`", text.player_may, wagers)
    paid = {payout.wager for payout in text.fixed} | {paytable.wager for paytable in chapter.paytables}
    if bare := [wager for wager in wagers if wager not in paid]:
        top.refuse(f"nothing says what these wagers pay: {', '.join(bare)}")
    if not missing:
        _refuse_unfollowed(top, chapter, text)
    return text


def _sentence(row: Fields, chapter: Chapter) -> Sentence:
    sentence = row.record(Sentence, condition=read_condition(row, "if"))
    row.names("the option", sentence.condition.options() | named_options(sentence.words), chapter.option_keys)
    row.names("the wager with a paytable", named_wagers(sentence.words), [table.wager for table in chapter.paytables])
    return sentence


def _no_sentence(row: Fields) -> tuple[tuple[str, str], ...]:
    why, readings = row.text("why"), row.texts("readings")
    return tuple((reading, why) for reading in readings)


def _refuse_unfollowed(top: Fields, chapter: Chapter, text: GuideText) -> None:
    """Refuse unknown notes, notes with both a sentence and a reason for none, and settling ones with neither."""
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
    """Return True if the interpretation note touches a wager or a paytable."""
    return any(name in chapter.wager_keys or "/" in name for name in reading.touches)


def _own_table_sentence(row: Fields, chapter: Chapter) -> TableSentence:
    sentence = row.record(TableSentence)
    row.names("the option", {sentence.option, *sentence.unless} | named_options(sentence.words), chapter.option_keys)
    return sentence
