"""Wagers on a throw of dice: games with two, and with ten of which some are thrown again."""
