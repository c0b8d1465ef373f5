"""The browser's pure modules in a real browser, compared with the same rules in Python."""
