"""Who is let in: passwords within limits, and an organisation's sign-in service."""
