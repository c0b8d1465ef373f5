"""The demo: a corpus that the project draws itself, with questions, and what opens it."""
