"""The door for programs, under `/api/v1/`: the same queries, actions and words as the pages (`submissions.web`).

Who calls is `authentication`, how it is refused `problems`, what every address for reading has in
common `reading`, how it is described `describing`; the rest has a module for each kind of thing.
"""
