"""Blackjack: a hand against the dealer's, with doubling, splitting and surrender.

`hands` numbers the hands and names the decisions. The finished `Strategy` is all that the simulation takes from here.

The required wager, exactly: `rules` says what differs between the games and what a win pays; `dealer` has the tables of
the dealer's hand, `player` finds the best play of a hand and what becomes of it, `optimal` joins the hands of a pair
and makes whole rounds of them; `exact` reports, and puts the strategy into words.

    exact.required_wager(game, paytable, table) -> WagerAnalysis   with strategy, tables, plain play and notes
    exact.strategy_of(rules, payouts, table) -> hands.Strategy      the decisions that the simulation reads

The other wagers: `side_wagers`; `game` is what a chapter's `play.py` hands on.
"""
