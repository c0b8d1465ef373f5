"""Users that are nobody: imported runs, and the owner of the gold streams."""

SYSTEM = "system"
"""Role of the user that an imported run, or an agent, works under."""

REVIEW = "review"
"""Role of the one user that the gold streams belong to: never signed in, in no list."""

NOT_PEOPLE = (SYSTEM, REVIEW)
GOLD_USER = " gold"
"""A person's name has no space around it, so that nobody can be called that."""

GOLD_SETTING = "review"
