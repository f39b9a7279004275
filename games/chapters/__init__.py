"""The chapters, one folder each. A folder is data and `play.py`; how to add one: README.md."""
