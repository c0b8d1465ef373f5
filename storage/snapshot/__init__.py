"""What exports read: typed rows in a stable order, streamed from one snapshot of the database."""
