"""Suspect gold: the queue of tasks to check, what was decided, and scores before and after."""
