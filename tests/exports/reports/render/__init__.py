"""Tests of the forms and charts of reports."""
