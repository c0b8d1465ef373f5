"""Imports the patches that models propose for transcriptions, as the next round."""
