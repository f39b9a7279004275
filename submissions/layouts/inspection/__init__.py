"""A drawing compared with what the answers call for: each required element and its places, and the differences.

Pure. `inspector` uses the other modules: `tokens` makes words and payouts comparable, `drawing_text` orders lines and
searches them, `statements` reads sentences, `printed_rows` reads printed odds, `odds_comparison` compares them;
`findings` are the result.
"""
