"""Raise or fold against the dealer's hidden hand.

`five_game`: all five cards play, with wild cards or without. `four_game`: the best four of five or six play. A chapter
states one record of either; what decisions win (`parts`) and its analysis, with the strategy in words and tables
(`required`), are the same for both.
"""
