"""What attempts cost: prices of models, and rates of pay."""
