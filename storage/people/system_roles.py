"""Users that are not people: imported runs, and the owner of the gold streams."""

SYSTEM = "system"
"""Role of the users of imported runs and agents."""

REVIEW = "review"
"""Role of the user that owns the gold streams, which never signs in and appears in no list."""

NOT_PEOPLE = (SYSTEM, REVIEW)
GOLD_USER = " gold"
"""No person can have this name: names have no surrounding space."""

GOLD_SETTING = "review"
