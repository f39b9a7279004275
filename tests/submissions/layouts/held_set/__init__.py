"""Drawings that share no code with the portal, and what becomes of them: `law.toml` says what each layout must bear.

`sheets` reads it, `violations` breaks a rule, `composition` places everything on a table. `svg_styles`, `pdf_styles`
and `picture_styles` draw it as other programs do, `judging` inspects the files, `table` writes the results.
"""
