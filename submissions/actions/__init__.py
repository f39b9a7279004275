"""The verbs. Each takes the acting person first, checks `access`, changes rows in one transaction, records an event.

No `request` here: pages and API are two doors to the same actions.
"""
