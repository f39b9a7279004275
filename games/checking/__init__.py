"""Checks of a chapter's folder before a filing under it could be right: all that is missing or does not agree.

`chapter_check` runs the checks: of the text, the official form, the paytables (`paytables_check`), the requirements,
the errata and the mathematics. Each yields `Problem`s and raises nothing about the data. Not here: loading, which
refuses what a chapter cannot be without (`rules.loader`); the drawing of its layout, which the portal does.
"""
