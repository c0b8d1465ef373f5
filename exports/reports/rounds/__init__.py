"""The report on texts and tables that go round between people and models."""
