"""Whole campaigns in a real browser, from the first task to the exports."""
