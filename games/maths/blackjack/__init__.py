"""Blackjack (581, 590, 591, 635a): a hand against the dealer's, with doubling, splitting and surrender.

`hands` numbers the hands and names the decisions: all that the exact path and the simulation share, with the
finished `Strategy`. `rules` says what differs between the four games, `dealer`, `player`, `splits` and `exact` find
the optimal strategy and every way in which the required wager ends. For a chapter's `play.py` and the simulation:

    exact.required_wager(rules, chapter, answers) -> WagerAnalysis   with strategy, tables, plain play and notes
    exact.strategy_of(rules, answers) -> hands.Strategy               the decisions that the simulation reads
    rules.RULES["581"] … rules.RULES["635a"]                          a `Rules` for each chapter
    outcomes.name(net, wagered) -> str                                outcome key; net in halves of a unit
"""
