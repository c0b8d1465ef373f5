"""The report on transcriptions that go round between people and models."""
