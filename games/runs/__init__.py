"""Runs of a chapter's play: whole analyses, simulations, replays and the crosscheck of all of them."""
