"""Bulk updates: items are accepted, checked, confirmed by a person and applied one by one."""
