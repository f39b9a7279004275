"""The options in the order of the official form, where there is one; the figures that the Board printed."""

from collections.abc import Iterator
from itertools import groupby

from games.checking.chapter_files import PRINTED, ChapterFiles
from games.checking.problem import Problem, differing
from games.rules.citations import cite
from games.rules.loading.files import RULES
from games.rules.model import Chapter


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
