"""Wagers on a throw of dice: Props & Hops (chapter 585) with two, High Roll Dice (chapter 593) with ten."""
