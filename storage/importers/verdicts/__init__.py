"""Verdicts on answers that a judge or a dataset gave elsewhere, as rows of a file."""
