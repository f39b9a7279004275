"""The words and shapes of a drawing that was uploaded: SVG, PDF, or a picture whose letters are recognized.

`drawing_files` is the entrance; all that decodes a file runs in a process of its own (`reader_process`).
"""
