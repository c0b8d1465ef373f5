"""Tests of what annotators get back: returned tasks, pilot feedback, gold drafts."""
