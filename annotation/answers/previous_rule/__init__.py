"""The rule before sentences as gold, only to tell which verdicts the current rule changes."""
