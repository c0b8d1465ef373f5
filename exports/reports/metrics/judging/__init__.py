"""Judgements of answers and steps by people and models, for metrics."""
