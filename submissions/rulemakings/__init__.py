"""The Board's workbench for a rulemaking: its draft, its trial on every approved version, its publication.

Which changes are in effect on a day is `submissions.rules`; who may do what, `submissions.permissions`.
"""
