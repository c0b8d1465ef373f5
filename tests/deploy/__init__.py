"""What is in ``deploy/``."""
