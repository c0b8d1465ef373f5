"""Imports verdicts on answers that were given elsewhere, by a judge or in a dataset."""
