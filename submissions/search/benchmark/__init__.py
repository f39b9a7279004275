"""The licensees side by side, for the Board: one game (`comparison`), and all of them (`games`)."""
