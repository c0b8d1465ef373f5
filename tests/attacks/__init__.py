"""Attacks on a running server, in a short form: each would succeed if its defence were missing."""
