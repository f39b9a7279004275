"""The contribution of each outcome to the payback of a wager: a bar for each outcome, with its name above."""

from collections.abc import Sequence

from django.utils.safestring import SafeString

from submissions.evidence.charts.axes import WIDTH, Scale, draw, percent, shortened

BARS = 10  # more outcomes share the last bar
ROW, BAR = 21, 7
MARGIN, VALUE = 4, 52  # left margin, and the width of the value at the right
LETTERS = 62  # of a name

Contribution = tuple[str, float]  # outcome, share of all money wagered


def returns_svg(contributions: Sequence[Contribution], *, name: str, key: str) -> SafeString:
    """The outcomes that return anything, the largest contribution first; "" if nothing is paid back."""
    ordered = sorted(
        (contribution for contribution in contributions if contribution[1] > 0),
        key=lambda contribution: -contribution[1],
    )
    if not ordered:
        return SafeString("")
    shown = _fewer(ordered)
    along = Scale(0, max(share for _, share in shown), 0, WIDTH - MARGIN - VALUE)
    total = sum(share for _, share in ordered)
    return draw(
        "returns",
        key=key,
        name=name,
        height=ROW * len(shown) + 4,
        left=MARGIN,
        height_of_bar=BAR,
        bars=[
            {
                "name": shortened(outcome, LETTERS),
                "value": percent(share, 3),
                "text_y": place * ROW + 10,
                "y": place * ROW + 13,
                "width": max(along(share), 0.4),
                "end": MARGIN + along(share) + 4,
                "value_y": place * ROW + 20,
            }
            for place, (outcome, share) in enumerate(shown)
        ],
        total=percent(total, 4),
        hold=percent(1 - total, 4),
        largest=ordered[0][0],
        largest_share=percent(ordered[0][1], 4),
    )


def _fewer(ordered: Sequence[Contribution]) -> list[Contribution]:
    if len(ordered) <= BARS:
        return list(ordered)
    rest = ordered[BARS - 1 :]
    return [*ordered[: BARS - 1], (f"{len(rest)} other outcomes", sum(share for _, share in rest))]
