"""The second laboratory: deals rounds of each game and settles them in money, to test the exact figures.

It shares with `games.maths` nothing but the number of a card and the player's decisions, and import-linter keeps it so:
the cards are ranked by evaluators of its own, and amounts are read from the printed cells of the paytables. A game's
`second.py` ends with its `TABLE`. Not here: the comparison of the two sides, runs of many blocks (`games.runs`).
"""
