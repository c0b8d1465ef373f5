"""Fixed tables that begin the next round of table verification."""
