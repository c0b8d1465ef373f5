"""How judges' verdicts are corrected for their errors."""
