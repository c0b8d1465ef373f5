"""The documents of the demo corpus, one module a kind; every organisation in them is invented."""
