"""Administration of people: accounts, roles, first passwords and the audit log."""
