"""Frequent errors of letter recognition, corrected where the letters can be nothing else; and two readings compared."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from submissions.layouts.recognition.line_recognition import certainty
from submissions.layouts.recognition.word_grouping import PlacedWord, frame_around, step_between

RUN_IN = re.compile(r"(\d[\d,]*|[lI|])?(to|for)([\dlIi|]+[.,]?)?")
ONES_OR_DIGITS = re.compile(r"[\dlIi|]+[.,]?")
ONE_LOOKALIKES = str.maketrans("lIi|", "1111")
ZEROS = re.compile(r"[oO0]{3}")
ONE_TWICE = ("il", "ll", "Il", "lI", "l1", "1l", "i1", "1i", "|l", "l|")  # of a mark that is a “1”
NEVER_WORDS = {"lf": "If", "lt": "It", "ls": "Is", "ln": "In", "ts": "is"}  # often a small L for a capital I
UNSURE = 0.85  # of a line: it is read again
LIKELY = 0.6  # … which adds to the first one
BETTER = 0.1  # by so much a second reading is surer, if it replaces the first
ODDS = re.compile(r"\$?\d[\d,]* (to|for) \d+")
PART_OF_ODDS = re.compile(r"(\S{1,6} )?(to|for|\S{1,2})( \S{1,3})?|[\d,]+")


def corrected(words: Sequence[PlacedWord], marks: int) -> list[PlacedWord]:
    """The words of one line with frequent errors corrected: “4tol” becomes “4 to 1”, “dealer s” “dealer's”.

    Only what can be nothing else is corrected; the certainty remains. `marks`: of the line.
    """
    if words and words[-1].text in ONE_TWICE and sum(len(word.text) for word in words) == marks + 1:
        words = [*words[:-1], replace(words[-1], text="1")]
    parts = [part for word in words for part in _parts(word)]
    befores, afters = ["", *(part.text for part in parts)], [*(part.text for part in parts[1:]), ""]
    with_ones = [
        replace(part, text=part.text.translate(ONE_LOOKALIKES))
        if (before in ("to", "for") or after in ("to", "for")) and ONES_OR_DIGITS.fullmatch(part.text)
        else replace(part, text=NEVER_WORDS.get(part.text, part.text))
        for before, part, after in zip(befores, parts, afters, strict=False)
    ]
    return _ended(_possessives(_thousands(with_ones)))


def _thousands(words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """With “1 ooo” before “to” or “for” as “1,000”: the comma was not recognized."""
    joined = [*words]
    for place, (first, zeros, after) in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if first.text.isdigit() and ZEROS.fullmatch(zeros.text) and after.text in ("to", "for"):
            frame = frame_around([first.frame[:2], first.frame[2:], zeros.frame[:2], zeros.frame[2:]])
            sure = min(first.certainty, zeros.certainty)
            whole = replace(first, text=f"{first.text},000", end=zeros.end, frame=frame, certainty=sure)
            joined[place : place + 2] = [whole]
            break  # a line has its odds once
    return joined


def is_unsure(words: Sequence[PlacedWord]) -> bool:
    """Whether a line needs a second reading: nothing, little or part of odds was recognized, or without certainty."""
    text = _text(words)
    return certainty(words) < UNSURE or bool(PART_OF_ODDS.fullmatch(text) and not is_odds(words))


def is_odds(words: Sequence[PlacedWord]) -> bool:
    """Whether the line is odds and nothing else."""
    return bool(ODDS.fullmatch(_text(words)))


def is_same(first: Sequence[PlacedWord], second: Sequence[PlacedWord]) -> bool:
    """Whether both recognized something, and the same letters."""
    return bool(first) and _text(first).replace(" ", "") == _text(second).replace(" ", "")


def agreed(first: Sequence[PlacedWord], second: Sequence[PlacedWord]) -> Sequence[PlacedWord]:
    """The better of two readings of a line; each confirms the other if they are the same."""
    sure, again = certainty(first), certainty(second)
    if is_same(first, second):
        better = first if len(first) >= len(second) else second  # a missed space joins two words
        return [replace(word, certainty=max(word.certainty, 1 - (1 - sure) * (1 - again))) for word in better]
    left_out = _text(second).startswith(_text(first)) and again > LIKELY
    completed = is_odds(second) and not is_odds(first) and (left_out or again > UNSURE)
    return second if completed or again > sure + BETTER else first


def _text(words: Sequence[PlacedWord]) -> str:
    return " ".join(word.text for word in words)


def _possessives(words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """With an “s” that stands alone as the end of the word before: its apostrophe was not recognized."""
    joined: list[PlacedWord] = []
    for word in words:
        if joined and word.text == "s" and joined[-1].text[-1].isalpha():
            before = joined[-1]
            corners = [before.frame[:2], before.frame[2:], word.frame[:2], word.frame[2:]]
            sure = min(before.certainty, word.certainty)
            frame = frame_around(corners)
            joined[-1] = replace(before, text=f"{before.text}'s", end=word.end, frame=frame, certainty=sure)
        else:
            joined.append(word)
    return joined


def _ended(words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """Each word ends where the next one begins, at the latest: the frame of “to” may reach over the “1” after it."""
    ended = [*words]
    for place, (word, after) in enumerate(pairwise(words)):
        if step_between(word.end, after.begin)[0] < 0 < step_between(word.begin, after.begin)[0]:
            ended[place] = replace(word, end=after.begin)
    return ended


def _parts(word: PlacedWord) -> Iterator[PlacedWord]:
    """The word, divided before and after “to” or “for”; its parts share one frame."""
    match = RUN_IN.fullmatch(word.text)
    groups = [group for group in match.groups() if group] if match else [word.text]
    ends = [sum(map(len, groups[:count])) / len(word.text) for count in range(len(groups) + 1)]
    for text, (begin, end) in zip(groups, pairwise(ends), strict=True):
        yield replace(word, text=text, begin=_between(word, begin), end=_between(word, end))


def _between(word: PlacedWord, share: float) -> tuple[float, float, float]:
    (x, y, angle), (right, low, _) = word.begin, word.end
    return x + share * (right - x), y + share * (low - y), angle
