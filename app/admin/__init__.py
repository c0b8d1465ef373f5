"""The administration screen: one package per section, each with a ``show`` function."""
