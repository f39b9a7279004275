"""Configurations entered from the words of the law by someone who did not write the rules, and their judgment."""
