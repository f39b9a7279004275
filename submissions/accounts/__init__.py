"""Organizations and their members, invitations, sandboxes and API credentials."""
