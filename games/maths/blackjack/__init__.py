"""Blackjack: a hand against the dealer's, with doubling, splitting and surrender.

`hands` numbers the hands and names the decisions: all that the exact path and the simulation share, with the
finished `Strategy` and the names of `outcomes`.

The required wager, exactly: `rules` says what differs between the games, `payouts` what a win pays; `dealer` and
`player` hold the tables, `decisions` finds the best play of a hand, `endings` what becomes of it, `splits` joins the
hands of a pair, `optimal` makes whole rounds of them; `exact` reports, `advice` puts the strategy into words.

    exact.required_wager(game, paytable, table) -> WagerAnalysis   with strategy, tables, plain play and notes
    exact.strategy_of(rules, payouts, table) -> hands.Strategy      the decisions that the simulation reads

Dealt and settled: `rounds`, `settlement`, `tallies`, `replay`; the other wagers: `side`, `side_wagers`; `game` is what
a chapter's `play.py` hands on.
"""
