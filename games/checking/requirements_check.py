"""Every requirement met and broken: the example that nothing blocks, and changes of it."""

from collections.abc import Iterator
from itertools import filterfalse
from typing import Any

from games.checking.chapter_files import CASES, EXAMPLE, ChapterFiles
from games.checking.problem import Problem, differing
from games.rules.evaluate import effective, judge
from games.rules.loading.files import RULES
from games.rules.model import Requirement
from games.rules.sources import is_on_sources


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
