"""The reference layout of a game's table, drawn from its chapter and options, true to proportion.

`drawing_sheet` is the page: `table_shape` with `player_areas` and `shared_areas`, payouts and signs; `areas` draws
single areas, `shapes` single SVG elements and the shapes of wagers, `payout_columns` odds. All labels and odds are from
`layouts.required_elements`, letters from `layouts.typeface`.
"""
