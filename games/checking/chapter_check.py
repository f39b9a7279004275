"""The check of one chapter's folder: all that is missing or does not agree, a check for each part.

The parts are the text, the official form, the requirements, the errata and the mathematics. Not here: the paytables
(`paytables_check`).

Text: all of its sections are entered, every section that the data name in words exists. Form: the options in its order;
the figures that the Board printed. Requirements: each one met and broken, by the example that nothing blocks, and
changes of it. Errata: a note for each reading, the official document entered, holds that change. Mathematics: the
example analyzed and simulated, in agreement; its first round replayed. Few rounds: they show that all parts fit
together. The proof of the figures is the simulation of each filing.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import filterfalse, groupby
from pathlib import Path
from typing import Any

from games import registry
from games.checking.chapter_files import CASES, EXAMPLE, FILES, PRINTED, ChapterFiles, Problem, differing
from games.checking.paytables_check import check_paytables
from games.maths.results import WagerAnalysis
from games.registry import PLAY, SECOND, chapter_or_none, play
from games.rules.drawings import load_drawing_style
from games.rules.errata import load_errata
from games.rules.errors import RuleError
from games.rules.evaluate import effective, judge
from games.rules.files import ERRATA, LAYOUT, MISSING_TEXT, PAYTABLES, RULES, TEXT
from games.rules.findings import is_on_sources
from games.rules.missing_text import is_missing
from games.rules.model import Chapter, Requirement
from games.rules.sections import cite
from games.rules.wagers_in_play import in_play
from games.rules.words import load_words
from games.runs.dealing import deal_block, round_steps
from games.runs.engine import analyze, summarize
from games.runs.errata import hold_changes

TO_BE_ENTERED = "[To be entered]"
_CITED = re.compile(r"§§? ?(\d+[a-z]?)(\.\d+(?:\([a-zA-Z0-9]+\)(?:\[\d\])?)*)")


def check_text(files: ChapterFiles) -> Iterator[Problem]:
    chapter, label = files.chapter, files.label(TEXT)
    own = {name: text for name, text in chapter.sections.items() if re.fullmatch(rf"§ {chapter.number}\.\d+", name)}
    expected = [f"§ {chapter.number}.{section}" for section in range(1, files.printed["sections"] + 1)]
    yield from differing(label, "sections", list(own), expected)
    for name, text in own.items():
        if TO_BE_ENTERED in text:
            yield Problem(label, name, f"is still to be entered; take out {TO_BE_ENTERED} when it is the chapter's own")
    for name, words in files.printed.get("begins", {}).items():
        if not chapter.sections.get(name, "").startswith(words):
            yield Problem(label, name, f"does not begin with {words!r}, as {files.label(PRINTED)} has it")
    for file, where, words in _words(chapter):
        for section in missing_sections(chapter, words):
            yield Problem(files.label(file), where, f"names {section}, which does not exist")
    yield from _missing_text(files)
    if chapter.complete == bool(chapter.missing):
        yield Problem(files.label(RULES), "`missing`", "says what the text lacks only if `complete` is false")


def _missing_text(files: ChapterFiles) -> Iterator[Problem]:
    """Yield the rows of `missing_text.toml` that would refuse nothing."""
    chapter, lines = files.chapter, {option.key for option in files.chapter.options}
    for row in chapter.missing_text:
        for section in row.sections:
            if not is_missing(chapter, section):
                problem = f"{section} has no paragraph in square brackets in {TEXT}: nothing of it is missing"
                yield Problem(files.label(MISSING_TEXT), f"`{row.what}`", problem)
        for key in sorted(row.when.options() - lines):
            yield Problem(
                files.label(MISSING_TEXT), f"`{row.what}`", f"`when` names the option `{key}`, which does not exist"
            )


def missing_sections(chapter: Chapter, words: str) -> Iterator[str]:
    """Yield the sections that the words name and that do not exist."""
    for number, rest in _CITED.findall(words):
        if f"§ {number}{rest}" not in _sections(chapter, number):
            yield f"§ {number}{rest}"


def _sections(chapter: Chapter, number: str) -> Mapping[str, str]:
    """Return the sections of the chapter that is cited; the general provisions stand beside each chapter's own."""
    cited = None if number == chapter.number else chapter_or_none(number)
    return (cited or chapter).sections


def _words(chapter: Chapter) -> Iterator[tuple[str, str, str]]:
    """Yield file, place and words of all that names sections in sentences."""
    for option in chapter.options:
        yield RULES, f"option `{option.key}`", f"{option.help} {option.question}"
    for wager in chapter.wagers:
        yield RULES, f"wager `{wager.key}`", wager.size
    for requirement in chapter.requirements:
        yield RULES, f"requirement `{requirement.id}`", f"{requirement.message} {requirement.fix}"
    for reading in chapter.readings:
        yield RULES, f"reading `{reading.id}`", f"{reading.reading} {reading.evidence}"
    for element in chapter.layout:
        yield LAYOUT, f"element `{element.key}`", element.element


def check_form(files: ChapterFiles) -> Iterator[Problem]:
    chapter, printed = files.chapter, files.printed
    label = files.label(RULES)
    groups = [group for group, _ in groupby(option.group for option in chapter.options)]
    yield from differing(label, "groups of options", groups, list(dict.fromkeys(groups)))
    figures = " ".join(figure.value for figure in chapter.published)
    yield from differing(label, "published figures", figures, printed["figures"])
    if "form" in printed:
        yield from _as_the_form(chapter, label, printed["form"], printed["slips"])
    elif "slips" in printed:
        yield Problem(files.label(PRINTED), "`slips`", "there is no `form` that could have them")


def _as_the_form(chapter: Chapter, label: str, form: list[list[str]], slips: list[str]) -> Iterator[Problem]:
    lines = [
        [option.key, option.citation, *filter(None, [option.cited_as_printed])]
        for option in chapter.options
        if option.basis == "form" and option.limits.format != "tables"
    ]
    expected = [[key, *(cite(section, chapter.number) for section in sections)] for key, *sections in form]
    yield from differing(label, 'options with `basis = "form"`', lines, expected)
    offers = [wager.offered_by for wager in chapter.wagers if wager.offered_by]
    yield from differing(label, "`offered_by` of wagers", offers, [key for key, *_ in form if key in offers])
    for slip in slips:
        with_slip = [option for option in chapter.options if slip in option.as_printed.rstrip("?").split()]
        if not with_slip or any(slip in option.question.rstrip("?").split() for option in with_slip):
            yield Problem(label, "`as_printed`", f"the form's “{slip}” is kept there, and not in `question`")


def check_requirements(files: ChapterFiles) -> Iterator[Problem]:
    chapter, example = files.chapter, files.example()
    for finding in filterfalse(is_on_sources, judge(chapter, example).findings):
        yield Problem(files.label(EXAMPLE), ", ".join(finding.options) or "answers", f"{finding.message} {finding.fix}")
    yield from differing(files.label(EXAMPLE), "answers to lines that are asked", example, effective(chapter, example))
    names = [requirement.id.removeprefix(f"{chapter.number}.") for requirement in chapter.requirements]
    yield from differing(files.label(CASES), "requirements, in their order", list(files.cases), names)
    for requirement in chapter.requirements:
        case = files.cases.get(requirement.id.removeprefix(f"{chapter.number}."), {})
        yield from _case(files, requirement, case)
    for attempt in files.attempts:
        yield from _attempt(files, attempt)


def _case(files: ChapterFiles, requirement: Requirement, case: dict[str, Any]) -> Iterator[Problem]:
    label, where = files.label(CASES), f"`{requirement.id}`"
    if set(case) != {"fails", "passes"}:
        yield Problem(label, where, "one change of the example that fails it is expected, and one that passes it")
        return
    broken = judge(files.chapter, files.example(**case["fails"])).findings
    own = [finding for finding in broken if finding.rule == requirement.id]
    yield from differing(label, f"{where}, `fails`", [finding.severity for finding in own], [requirement.severity])
    for finding in own:
        if finding.citation not in files.chapter.sections or "{" in finding.message + finding.fix:
            words = f"{finding.message} {finding.fix} ({finding.citation})"
            yield Problem(files.label(RULES), f"requirement {where}", f"its words are not whole: {words}")
    passes = effective(files.chapter, files.example(**case["passes"]))  # what the change rules out is cleared
    met = judge(files.chapter, passes)
    against = [finding.rule for finding in met.findings if finding.rule == requirement.id or finding in met.blocking]
    yield from differing(label, f"{where}, `passes`", against, [])


def _attempt(files: ChapterFiles, attempt: dict[str, Any]) -> Iterator[Problem]:
    blocking = judge(files.chapter, files.example(**attempt["answers"])).blocking
    refusals = [{"message": finding.message, "fix": finding.fix, "citation": finding.citation} for finding in blocking]
    expected = {key: words for key, words in attempt.items() if key != "answers"}
    yield from differing(files.label(CASES), f"attempt {attempt['answers']}", refusals, [expected])


_AMENDED = re.compile(r"for “[^”]*”")  # the printed words, which may name a section that does not exist


def check_errata(files: ChapterFiles) -> Iterator[Problem]:
    label = files.label(ERRATA)
    try:
        errata = load_errata(files.chapter, files.folder)
    except RuleError as error:
        yield Problem(error.file, error.where, error.problem)
        return
    if TO_BE_ENTERED in errata.document:
        yield Problem(label, "`document`", "is still to be entered: the official document that the text is from")
    for note in errata.notes:
        where = f"note `{note.reading}`"
        words = _AMENDED.sub("", f"{note.proposed} {note.no_change} {note.other_reading} {note.hold_not_computed}")
        for section in missing_sections(files.chapter, words):
            if _is_at_hand(section):
                yield Problem(label, where, f"names {section}, which does not exist")
        try:
            list(hold_changes(files.chapter, note))
        except (RuleError, ValueError) as error:
            yield Problem(label, where, str(error))


def _is_at_hand(section: str) -> bool:
    """Return True if the portal has the section's whole chapter: a wording may name others of the Code."""
    chapter = chapter_or_none(section.removeprefix("§ ").partition(".")[0])
    return chapter is not None and chapter.complete


ROUNDS, SEED = 200_000, 1


def check_mathematics(files: ChapterFiles) -> Iterator[Problem]:
    chapter, label = files.chapter, files.label(PLAY)
    answers, own = files.example(), play(files.chapter.number)
    analysis = analyze(chapter, answers)
    analyzed = list(dict.fromkeys(wager.wager for wager in analysis.wagers))  # one may be analyzed by spots
    offered = (
        [wager for wager, _ in in_play(chapter, answers)] if own.deals_rounds else []
    )  # else no wager is made against the house
    yield from differing(label, "`analyze`: wagers of the example", analyzed, offered)
    yield from _impossible(files, analyze(chapter, None).wagers)
    if own.deals_rounds and not (files.folder / SECOND).exists():
        yield Problem(files.label(SECOND), "file", "is missing")
    elif own.deals_rounds:
        rounds = min(ROUNDS, own.block_rounds)
        tally = deal_block(chapter, answers, SEED, 0, rounds)
        for name, counts in tally.items():
            yield from differing(label, f"simulation: rounds of {name}", sum(counts.values()), rounds)
        for simulated in summarize(chapter, answers, analysis, [tally], SEED, rounds).wagers:
            if not simulated.passed:
                exact = f"{simulated.hold:.4%} of {rounds:,} rounds, exactly {simulated.exact_hold or 0:.4%}"
                yield Problem(label, f"simulation: {simulated.wager}", f"the hold is {exact}: z = {simulated.z}")
        if not round_steps(chapter, answers, SEED, 0, 0):
            yield Problem(label, "steps of a round", "the first round has none")


def _impossible(files: ChapterFiles, wagers: Iterable[WagerAnalysis]) -> Iterator[Problem]:
    """Yield the faults of every paytable: rows that no hand can reach, probabilities that leave something out."""
    for wager in wagers:
        if wager.method == "exact" and sum(row.probability or 0 for row in wager.outcomes) != 1:
            where = f"`analyze`: {wager.key}"
            yield Problem(files.label(PLAY), where, "the probabilities of its outcomes do not add up to 1")
        for row in wager.outcomes:
            if row.probability == 0:
                where = f"{wager.key}, row {row.outcome!r}"
                yield Problem(files.label(PAYTABLES), where, "no hand can reach it: its probability is 0")


CHECKS: tuple[Callable[[ChapterFiles], Iterator[Problem]], ...] = (
    check_text, check_form, check_paytables, check_requirements, check_mathematics, check_errata,
)  # fmt: skip


def check_chapter(number: str) -> tuple[Problem, ...]:
    """Return every problem of the chapter, none if it could be filed; `UnknownChapter` if it has no folder.

    A file that is missing, or what cannot be loaded, is said first: nothing else can be judged without.
    """
    folder = registry.folder_of(number)
    if missing := [name for name in FILES if not (folder / name).is_file()]:
        return tuple(Problem(f"{folder.name}/{name}", "file", "is missing") for name in missing)
    if refused := tuple(_refused(number, folder)):
        return refused
    files = ChapterFiles(folder, registry.chapter(number))
    return tuple(problem for check in CHECKS for problem in _run(check, files))


def _refused(number: str, folder: Path) -> Iterator[Problem]:
    """Yield the problems that keep the rules, or the words, the drawing and the mathematics, from loading."""
    try:
        chapter = registry.load_chapter(folder)
    except RuleError as error:
        yield Problem(error.file, error.where, error.problem)
        return
    for load in (lambda: load_words(chapter), lambda: load_drawing_style(chapter), lambda: registry.play(number)):
        try:
            load()
        except RuleError as error:
            yield Problem(error.file, error.where, error.problem)


def _run(check: Callable[[ChapterFiles], Iterator[Problem]], files: ChapterFiles) -> Iterator[Problem]:
    """Yield the problems that the check finds; a check that crashes is a problem, too."""
    try:
        yield from check(files)
    except Exception as error:
        where = check.__name__.replace("check_", "check of the ")
        yield Problem(files.folder.name, where, f"stopped by {type(error).__name__}: {error}")
