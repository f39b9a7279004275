"""Findings on single lines and on the sources of a chapter, for every chapter alike.

Lines may be unanswered, wrong in themselves, or answered though not asked. Sources may have odds that no text at hand
prints, or be of a chapter that is not final.

Findings on sources do not stop a filing; what missing text keeps from being filed is in `missing_text`. To approve, a
director confirms each of them (`submissions.filings.review.decisions`). Not here: how an answer is looked at
(`answers`), requirements that go over several lines (`evaluate`), findings on holds (`games.runs.hold_findings`).
"""

from collections.abc import Iterator, Mapping

from games.rules.answers import Fault, fault, is_blank
from games.rules.conditions import holds, passes
from games.rules.model import Answer, Answers, Chapter, Finding, Option, Status
from games.rules.phrases import NOT_IN_THE_TEXT, in_words, quoted_answer


def on_lines(chapter: Chapter, answers: Answers, asked_keys: tuple[str, ...], sound: Answers) -> Iterator[Finding]:
    """Yield the findings in the form's order, and last the answers to lines that the chapter does not have."""
    for option in chapter.options:
        answer = answers.get(option.key)
        if option.key not in asked_keys:
            if not is_blank(answer):
                yield _not_asked(chapter, option, answers, sound)
        elif is_blank(answer):
            if option.required:
                yield _blocking(
                    chapter, option, Fault("not-answered", f"“{option.question}” is not answered.", "Answer it.")
                )
        elif option.key not in sound and (wrong := fault(chapter, option, answer)):
            yield _blocking(chapter, option, wrong)
    known = {option.key for option in chapter.options}
    yield from (_unknown(chapter, str(key)) for key in answers if key not in known)


def _blocking(chapter: Chapter, option: Option, wrong: Fault) -> Finding:
    """Return a finding on one line; its limits may rest on another section than the line itself."""
    citation = option.limits.citation if wrong.rule == "outside-limits" else ""
    rule = f"{chapter.number}.{wrong.rule}"
    return Finding(rule, "blocking", (option.key,), wrong.message, wrong.fix, citation or option.citation)


def _not_asked(chapter: Chapter, option: Option, answers: Answers, sound: Answers) -> Finding:
    """Return the finding on an answer to a line that is not asked.

    It contradicts the answer that rules the line out, or is kept for later.

    "No" contradicts nothing, a file is not yet a statement, and some answers agree with what rules them out (a table's
    minimum wager with no payout limit; `consistent_if`). All of them are kept, shown and not filed.
    """
    if option.kind == "paytable" and answers.get(chapter.wager(option.wager).offered_by) is False:
        return _paytable_without_wager(chapter, option, answers)
    above = _ruled_out_by(chapter, option, sound)
    if above and _states_more(option, answers[option.key], sound):
        return _contradiction(chapter, option, chapter.option(above), answers)
    return Finding(
        rule=f"{chapter.number}.not-asked",
        severity="note",
        options=(option.key,),
        message=f"“{option.question}” is answered, but not asked while {_reason(chapter, option, above, answers)}.",
        fix="Nothing needs to be done: the answer is kept for when the line is asked again, and not filed.",
        citation=option.citation,
    )


def _states_more(option: Option, answer: Answer, sound: Answers) -> bool:
    """Return True if the answer says something that cannot be true while its line is ruled out."""
    if answer is False or option.kind == "attachment":
        return False
    return option.consistent_if is None or not holds(option.consistent_if, sound)


def _contradiction(chapter: Chapter, option: Option, above: Option, answers: Answers) -> Finding:
    """Return the finding on two answers of which one rules the other out; the portal cannot know which is meant."""
    mine, theirs = (_shown(chapter, each, answers[each.key]) for each in (option, above))
    return Finding(
        rule=f"{chapter.number}.contradiction",
        severity="blocking",
        options=(option.key, above.key),
        message=f"“{option.question}” is answered {mine}, although “{above.question}” is answered {theirs}.",
        fix="Clear the first of these answers, or change the second.",
        citation=option.citation,
    )


def _shown(chapter: Chapter, option: Option, answer: Answer) -> str:
    """Return the answer as a message shows it, a text in quotation marks."""
    return quoted_answer(answer) if option.kind == "text" else in_words(chapter, option.key, answer)


def _ruled_out_by(chapter: Chapter, option: Option, sound: Answers) -> str:
    """Return the answered line above that keeps this one, or the line it depends on, from being asked; "" if none is.

    Of several ways to be asked the one that lacks least.
    """
    tests = min(
        option.asked_if.alternatives, key=lambda way: sum(not passes(test, sound.get(key)) for key, test in way)
    )
    agreed = _agreed(option, sound)
    for key, test in sorted(tests, key=lambda pair: pair[0] in agreed):
        if not passes(test, sound.get(key)):
            return key if key in sound else ""
    above = (
        _ruled_out_by(chapter, chapter.option(key), sound)
        for key, _ in tests
        if chapter.option(key).asked_if.alternatives
    )
    return next((key for key in above if key), "")


def _agreed(option: Option, sound: Answers) -> set[str]:
    """Return the answered lines that an answer to this one agrees with (`consistent_if`) and so does not contradict."""
    ways = option.consistent_if.alternatives if option.consistent_if else ()
    return {key for way in ways for key, test in way if passes(test, sound.get(key))}


def _reason(chapter: Chapter, option: Option, above: str, answers: Answers) -> str:
    """Return the line that prevents it and how it is answered, in words."""
    if above:
        return f"“{chapter.option(above).question}” is answered {in_words(chapter, above, answers[above])}"
    for key, test in option.asked_if.alternatives[0]:
        question = f"“{chapter.option(key).question}”"
        if is_blank(answers.get(key)):
            return f"{question} is not answered"
        if not passes(test, answers[key]):
            return f"{question} is answered {quoted_answer(answers[key])}"
    return "a line that it depends on is not asked either"


def _paytable_without_wager(chapter: Chapter, option: Option, answers: Answers) -> Finding:
    wager = chapter.wager(option.wager)
    offer, chosen = chapter.option(wager.offered_by), quoted_answer(answers[option.key])
    return Finding(
        rule=f"{chapter.number}.paytable-without-wager",
        severity="blocking",
        options=(option.key, offer.key),
        message=f"The paytable {chosen} is chosen for the {wager.name}, which is not offered.",
        fix=f"Remove the paytable, or answer Yes to “{offer.question}”",
        citation=wager.citation,
    )


def _unknown(chapter: Chapter, key: str) -> Finding:
    return Finding(
        rule=f"{chapter.number}.unknown-option",
        severity="blocking",
        options=(),
        message=f"The answers name a line {quoted_answer(key)} that chapter {chapter.number} does not have.",
        fix="Remove it, or correct its name.",
        citation="§ 601a.2",
    )


ODDS, NOT_FINAL = "odds-not-in-source-text", "chapter-not-final"
_STATUS: Mapping[Status, str] = {
    "proposed": "is available as a proposed rulemaking only",
    "temporary": "is a temporary regulation; whether it is still in effect is not known from the available text",
    "lapsed": "was in effect for a time that is over",
}


def on_sources(chapter: Chapter, paytables: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the findings on sources; `paytables`: wager → name of the paytable in use."""
    if chapter.status in _STATUS:
        yield Finding(
            rule=f"{chapter.number}.{NOT_FINAL}",
            severity="warning",
            options=(),
            message=f"Chapter {chapter.number} {_STATUS[chapter.status]} ({chapter.source}).",
            fix="Look up its status in the Pennsylvania Code. To approve, a director confirms that it applies.",
            citation=f"§ {chapter.number}.1",
        )
    for key, name in paytables.items():
        if name.startswith(NOT_IN_THE_TEXT):
            yield _substitute(chapter, key, name)


def is_on_sources(finding: Finding) -> bool:
    """Return True if the finding is on the chapter's sources, which no answer can mend."""
    return finding.rule.endswith((f".{ODDS}", f".{NOT_FINAL}"))


def _substitute(chapter: Chapter, key: str, name: str) -> Finding:
    wager = chapter.wager(key)
    whole = chapter.wager(wager.part_of) if wager.part_of else wager
    citation = chapter.paytable(key, name).citation
    rest = f" Not available: {chapter.missing}" if whole.required and chapter.missing else ""
    return Finding(
        rule=f"{chapter.number}.{ODDS}",
        severity="warning",
        options=tuple(filter(None, (whole.offered_by, wager.paytable_option))),
        message=f"The odds of the {wager.name} are not in the available text: “{name}” replaces {citation}.{rest}",
        fix=f"Compare them with {citation} in the Pennsylvania Code. To approve, a director must confirm them.",
        citation=citation,
    )
