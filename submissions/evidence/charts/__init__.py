"""Small charts as SVG, the same on pages and in the PDF: no script, no style attributes, reproducible bytes.

One module for each chart, with its template in `templates/documents/*.svg`. A chart is an image with a title and a
description, legible in gray; the page or document also has its numbers in a table.
"""
