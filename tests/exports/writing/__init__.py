"""How exports write their files."""
