"""Accounts, sessions, credentials and the audit log. Imports only ``database``."""
