"""The reference layout of a game's table, drawn from its chapter and options, true to proportion.

`places` is the table's shape, `ring` the players' areas, `middle` what they share, `dealer` the dealer's side, `panel`
the payouts, `sheet` the page; `pieces` draws single areas, `marks` single lines. `says` reads the chapter's words for
numbers of cards, dice and areas; `words` knows how wide words are. All labels and odds come from `layouts.required`.
"""

from submissions.layouts.table.sheet import Caption, layout_svg

__all__ = ["Caption", "layout_svg"]
