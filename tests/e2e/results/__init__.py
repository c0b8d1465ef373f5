"""Results, report pages and replays in a real browser."""
