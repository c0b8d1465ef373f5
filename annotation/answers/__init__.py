"""Reads answers and decides whether one is correct: texts, numbers, units, dates and lists."""
