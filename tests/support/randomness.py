"""How much the property tests try: a little in every run, the same each time, or much at random.

``ci`` draws the same examples in every run, so that a red run is about the change it tests.
``random``, of ``scripts/test --random``, draws four times as many under a seed that it prints.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def register_profiles() -> None:
    """Register both, and load ``ci``; ``--hypothesis-profile`` comes after and wins."""
    settings.register_profile(
        "random",
        max_examples=200,
        deadline=None,  # a slow machine is not a failed test
        print_blob=True,
        # A function-scoped fixture holds a folder that every example overwrites.
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    settings.register_profile(
        "ci", settings.get_profile("random"), max_examples=30, derandomize=True, database=None
    )
    settings.load_profile("ci")


def examples(at_random: int, **options: int) -> settings:
    """So many examples at random, a quarter of them otherwise."""
    max_examples = at_random if settings.get_current_profile_name() == "random" else at_random // 4
    return settings(max_examples=max_examples, **options)
