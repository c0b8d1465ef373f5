"""The parts of the administration screen: one module a part, each with ``show``."""
