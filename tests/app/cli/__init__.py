"""Tests of the commands, run as a person or a script runs them."""
