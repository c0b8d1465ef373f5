"""What people and models judged of answers and steps, as metrics use it."""
