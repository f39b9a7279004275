"""The pages of the table lists: the list, its changes, spreadsheets, QR codes."""
