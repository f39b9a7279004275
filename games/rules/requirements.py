"""Findings of a chapter's requirements. Fail closed: a requirement that crashes is a blocking finding."""

from collections.abc import Iterator

from games.rules.checks import CHECKS
from games.rules.conditions import holds
from games.rules.model import Answers, Chapter, Finding, Requirement
from games.rules.phrases import Filled


def on_requirements(chapter: Chapter, used: Answers, asked_keys: tuple[str, ...]) -> Iterator[Finding]:
    """`used`: the answers that are right in themselves, to lines that are asked."""
    for requirement in chapter.requirements:
        try:
            finding = _finding(chapter, requirement, used, asked_keys)
        except Exception as error:  # no error may let a filing through
            finding = _crashed(chapter, requirement, error)
        if finding:
            yield finding


def _finding(chapter: Chapter, requirement: Requirement, used: Answers, asked_keys: tuple[str, ...]) -> Finding | None:
    filling = _unmet(chapter, requirement, used, asked_keys)
    if filling is None:
        return None
    return Finding(
        rule=requirement.id,
        severity=requirement.severity,
        options=requirement.options,
        message=requirement.message.format_map(filling),
        fix=requirement.fix.format_map(filling),
        citation=requirement.citation,
    )


def _unmet(chapter: Chapter, requirement: Requirement, used: Answers, asked_keys: tuple[str, ...]) -> Filled | None:
    """None where the requirement is met or not yet ripe, else what fills the braces of its words."""
    if not holds(requirement.when, used):
        return None
    if requirement.must is None:
        words = CHECKS[requirement.check](chapter, requirement, used)
        return None if words is None else Filled(chapter, used, words)
    unripe = any(
        key in asked_keys and key not in used and chapter.option(key).required for key in requirement.must.options()
    )
    if unripe or holds(requirement.must, used):
        return None  # unripe: a line that it hangs on is unanswered or wrong, which blocks already
    return Filled(chapter, used)


def _crashed(chapter: Chapter, requirement: Requirement, error: Exception) -> Finding:
    return Finding(
        rule=f"{chapter.number}.check-failed",
        severity="blocking",
        options=requirement.options,
        message=f"The requirement {requirement.id} could not be judged ({type(error).__name__}).",
        fix="Look at the answers that it concerns; if they are right, report this message to the portal's operator.",
        citation=requirement.citation,
    )
