"""Imports task files and pre-annotations as batches of a campaign, with checks of every row."""
