"""How fast it is: each module measures one thing; ``python -m benchmarks`` runs them all."""
