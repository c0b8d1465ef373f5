"""Generated tables of labels on which Dawid–Skene is compared with another implementation.

``dawid_skene_reference.json`` has the results of ``OneCoinDawidSkene`` of crowd-kit 1.4.2
(Ustalov, Pavlichenko and Tseitlin 2024, JOSS 9) for ``label_table(0)`` to ``label_table(49)``, run
to convergence (``n_iter`` 150 or 700, ``tol=-inf``): accuracies of participants, and probabilities
of classes.
"""

from __future__ import annotations

import random

CLASSES = ("0", "1", "2")


def label_table(seed: int) -> list[tuple[str, str, str]]:
    """(item, participant, label) rows; some labels are missing, and skills differ."""
    generator = random.Random(seed)
    classes = CLASSES[: generator.choice((2, 3))]
    skills = {f"p{n}": generator.uniform(0.6, 0.95) for n in range(generator.randint(4, 7))}
    rows = []
    for n in range(generator.randint(15, 30)):
        truth = generator.choice(classes)
        others = [label for label in classes if label != truth]
        labels = [
            (f"i{n}", name, truth if generator.random() < skill else generator.choice(others))
            for name, skill in skills.items()
            if generator.random() < 0.8
        ]
        rows += labels or [(f"i{n}", "p0", truth)]
    return rows
