"""Decides which events may be recorded in a state of an attempt."""
