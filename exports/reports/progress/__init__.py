"""Progress of a campaign as a report: its tables and charts."""
