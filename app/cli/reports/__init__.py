"""Commands that print or write reports: agreement, metrics, replay."""
