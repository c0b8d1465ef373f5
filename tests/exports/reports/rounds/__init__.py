"""Tests of the report on rounds."""
