"""The reference layout of a game's table, drawn from its chapter and options, true to proportion.

`drawing_sheet` is the page: `table_shape` with `player_areas`, `table_middle` and `dealer_side`, payouts and signs;
`areas` draws single areas, `wager_shapes` the shapes of wagers, `card_spots` where cards are dealt, `shapes` single SVG
elements, `payout_columns` odds. `element_text` reads numbers of cards, dice and areas from the chapter's words;
`text_fitting` measures words, `measures` states lengths. All labels and odds are from
`layouts.required_elements`.
"""

from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg

__all__ = ["Caption", "layout_svg"]
