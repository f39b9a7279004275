"""What runs the play of a chapter: whole analyses, simulations, replays and the crosscheck of all of them."""
