"""Which lines of a checklist are asked, given what is answered so far."""

from games.rules.answers import fault, is_blank
from games.rules.conditions import holds
from games.rules.model import Answer, Answers, Chapter


def sound_answers(chapter: Chapter, answers: Answers) -> dict[str, Answer]:
    """The answers that are given and right in themselves; only these decide what else is asked."""
    given = [option for option in chapter.options if not is_blank(answers.get(option.key))]
    return {option.key: answers[option.key] for option in given if fault(chapter, option, answers[option.key]) is None}


def asked_lines(chapter: Chapter, sound: Answers) -> tuple[str, ...]:
    """The keys of the lines asked, in the form's order. A line depends on lines above it, if those are asked."""
    used: dict[str, Answer] = {}
    asked_keys: list[str] = []
    for option in chapter.options:
        if holds(option.asked_if, used):
            asked_keys.append(option.key)
            if option.key in sound:
                used[option.key] = sound[option.key]
    return tuple(asked_keys)
