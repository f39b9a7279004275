"""Findings on single lines, for every chapter alike: unanswered, wrong in themselves, answered though not asked.

Not here: how an answer is looked at (`answers`), requirements that go over several lines (`requirements`).
"""

from collections.abc import Iterator

from games.rules.answers import Fault, fault, is_blank
from games.rules.conditions import passes
from games.rules.model import Answers, Chapter, Finding, Option
from games.rules.phrases import in_words
from games.rules.signs import quoted_answer


def on_lines(chapter: Chapter, answers: Answers, asked_keys: tuple[str, ...], sound: Answers) -> Iterator[Finding]:
    """In the form's order, and last the answers to lines that the chapter does not have."""
    for option in chapter.options:
        answer = answers.get(option.key)
        if option.key not in asked_keys:
            if not is_blank(answer):
                yield _not_asked(chapter, option, answers, sound)
        elif is_blank(answer):
            if option.required:
                yield _blocking(chapter, option, _unanswered(option))
        elif option.key not in sound and (wrong := fault(chapter, option, answer)):
            yield _blocking(chapter, option, wrong)
    known = {option.key for option in chapter.options}
    yield from (_unknown(chapter, str(key)) for key in answers if key not in known)


def _unanswered(option: Option) -> Fault:
    return Fault("not-answered", f"“{option.question}” is not answered.", "Answer it.")


def _blocking(chapter: Chapter, option: Option, wrong: Fault) -> Finding:
    """A finding on one line; its limits may rest on another section than the line itself."""
    citation = option.limits.citation if wrong.rule == "outside-limits" else ""
    rule = f"{chapter.number}.{wrong.rule}"
    return Finding(rule, "blocking", (option.key,), wrong.message, wrong.fix, citation or option.citation)


def _not_asked(chapter: Chapter, option: Option, answers: Answers, sound: Answers) -> Finding:
    """An answer that is kept for later; a paytable of a wager that is expressly not offered is a contradiction."""
    if option.kind == "paytable" and answers.get(chapter.wager(option.wager).offered_by) is False:
        return _paytable_without_wager(chapter, option, answers)
    obstacle = _obstacle(option, sound)
    on_the_form = option.kind == "yes_no" and option.basis == "form"
    if on_the_form and sound.get(option.key) is True and obstacle and answers.get(obstacle) is False:
        return _against(chapter, option, chapter.option(obstacle))
    while_so = _as_answered(chapter, obstacle, answers, sound)
    return Finding(
        rule=f"{chapter.number}.not-asked",
        severity="note",
        options=(option.key,),
        message=f"“{option.question}” is answered, but not asked while {while_so}.",
        fix="Nothing needs to be done: the answer is kept for when the line is asked again, and not used.",
        citation=option.citation,
    )


def _against(chapter: Chapter, option: Option, obstacle: Option) -> Finding:
    """A Yes that the line above rules out; pages never file it, a configuration from elsewhere may contain it."""
    return Finding(
        rule=f"{chapter.number}.contradiction",
        severity="blocking",
        options=(option.key, obstacle.key),
        message=f"“{option.question}” is answered Yes, although “{obstacle.question}” is answered No.",
        fix="Change one of the two answers.",
        citation=option.citation,
    )


def _obstacle(option: Option, sound: Answers) -> str:
    """Which line above keeps this one from being asked, of several ways the nearest; "" = one not asked either."""
    failing = [[key for key, test in way if not passes(test, sound.get(key))] for way in option.asked_if.alternatives]
    nearest = min(failing, key=len)
    return nearest[0] if nearest else ""


def _as_answered(chapter: Chapter, key: str, answers: Answers, sound: Answers) -> str:
    """The line that prevents it and how it is answered, in words."""
    if not key:
        return "a line that it depends on is not asked either"
    question = f"“{chapter.option(key).question}”"
    if is_blank(answers.get(key)):
        return f"{question} is not answered"
    return (
        f"{question} is answered {in_words(chapter, key, sound[key]) if key in sound else quoted_answer(answers[key])}"
    )


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
        message=f"The answers name an option {quoted_answer(key)} that chapter {chapter.number} does not have.",
        fix="Remove it, or correct its name.",
        citation="§ 601a.2",
    )
