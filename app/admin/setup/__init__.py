"""What a new workspace still needs before annotators can work."""
