"""Items of a bulk update as CSV and XLSX."""
