"""Imports models' drafts of gold."""
