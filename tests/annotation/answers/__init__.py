"""Tests of `pagetrail.annotation.answers`."""
