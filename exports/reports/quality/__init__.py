"""The report of quality in production: hidden gold, repeated tasks, drift over time, alerts."""
