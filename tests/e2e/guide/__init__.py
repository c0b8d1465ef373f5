"""The guide, and the tour of the task screen."""
