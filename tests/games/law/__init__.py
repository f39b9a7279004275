"""Configurations entered from the words of the law without sight of the rules as data, and their judgment."""
