"""The workspace in a real browser: mouse, keyboard, appearance, small screens."""
