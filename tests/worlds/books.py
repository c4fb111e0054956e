"""Rulebooks for the tests: only what composition reads, with the printed numbers."""

from typing import Any

from engine.rules.model import (
    Character,
    Entry,
    Incident,
    Plot,
    PlotKind,
    Quota,
    Role,
    RoleRule,
    Rulebook,
)
from engine.rulings import TableRulings
from engine.script import ScheduledIncident, Sheet


def plot(id: str, kind: PlotKind, *quotas: Quota, **more: Any) -> Plot:
    return Plot(id, id, kind, quotas, **more)


def card(
    id: str, *traits: str, rule: RoleRule = RoleRule.ANY, entry: Entry | None = None
) -> Character:
    return Character(id, id, 2, frozenset(traits), ("city",), role_rule=rule, entry=entry)


def book(
    id: str,
    plots: list[Plot],
    roles: list[Role],
    incidents: list[Incident],
    cards: list[Character],
    subplots: int,
) -> Rulebook:
    return Rulebook(
        id,
        id,
        {item.id: item for item in plots},
        {item.id: item for item in roles},
        {item.id: item for item in incidents},
        {item.id: item for item in cards},
        subplots,
        final_guess=True,
    )


ORDINARY = [card(f"card_{n}", "girl" if n % 2 else "boy") for n in range(12)]
OUTSIDER = card("outsider", rule=RoleRule.OUTSIDE_PLOTS)
COPIER = card("copier", "girl", rule=RoleRule.COPIES)
MACHINE = card("machine", rule=RoleRule.NOT_PERSON)
LOOP_CARD = card("loop_card", "girl", entry=Entry.LOOP)
DAY_CARD = card("day_card", "boy", entry=Entry.DAY)
ODD = [OUTSIDER, COPIER, MACHINE, LOOP_CARD, DAY_CARD]


def role(id: str, limit: int | None = None, *, must: bool = False, never: bool = False) -> Role:
    return Role(id, id, limit, must_be_culprit=must, never_culprit=never)


MAIN, SUB = PlotKind.MAIN, PlotKind.SUB

_TOY_PLOTS = [
    plot("war", MAIN, Quota("boss"), Quota("fool")),
    plot("peace", MAIN, Quota("boss", trait="girl")),
    plot("feast", SUB, Quota("friend", 2, 2)),
    plot("hunt", SUB, Quota("friend"), Quota("spy", 0, 2)),
    plot("calm", SUB),
    plot("fog", SUB, Quota("fool"), Quota("sleuth", 0, 1)),
]
_TOY_ROLES = [
    role("person"),
    role("boss"),
    role("friend", 2),
    role("spy"),
    role("fool", 1, must=True),
    role("sleuth", never=True),
]
_TOY_INCIDENTS = [
    Incident("fire", "fire", ()),
    Incident("series", "series", (), repeatable_culprit=True),
]
TOY = book("toy", _TOY_PLOTS, _TOY_ROLES, _TOY_INCIDENTS, ORDINARY + ODD, 2)
"""Two main plots, four subplots of which two are used, and each special rule somewhere."""

STRANGE = book(
    "strange",
    [
        *_TOY_PLOTS[:2],
        plot("court", MAIN, Quota("boss"), Quota("friend"), opposite_sex=(("boss", "friend"),)),
        plot("heir", SUB, Quota("boss", trait="girl")),
        plot("twist", SUB, Quota("spy"), extra_main_plot=True, needs=("card_0",)),
        plot("calm", SUB),
    ],
    _TOY_ROLES,
    [_TOY_INCIDENTS[0], Incident("riot", "riot", (), mob=1)],
    ORDINARY + ODD,
    1,
)
"""Extra main plots, plots that need a card, pairs of opposite sex, and mobs."""

# The numbers of Basic Tragedy as printed, the rule that one Key Person must be a girl apart.
_BT_PLOTS = [
    plot("sealed", MAIN, Quota("brain"), Quota("cultist")),
    plot("sign", MAIN, Quota("key")),
    plot("future", MAIN, Quota("cultist"), Quota("traveler")),
    plot("bomb", MAIN, Quota("witch")),
    plot("murder", MAIN, Quota("key"), Quota("brain"), Quota("murderer")),
    plot("circle", SUB, Quota("friend", 2, 2), Quota("theorist")),
    plot("love", SUB, Quota("lover"), Quota("loved")),
    plot("lurker", SUB, Quota("friend"), Quota("killer")),
    plot("factor", SUB, Quota("factor")),
    plot("rumor", SUB, Quota("theorist")),
    plot("virus", SUB, Quota("theorist")),
    plot("thread", SUB),
]
_BT_ROLES = [
    role("person"),
    role("key"),
    role("brain"),
    role("traveler"),
    role("lover"),
    role("murderer"),
    role("cultist"),
    role("killer"),
    role("witch"),
    role("friend", 2),
    role("loved"),
    role("theorist", 1),
    role("factor"),
]
_INCIDENTS = [Incident(f"incident_{n}", f"incident_{n}", ()) for n in range(6)]
BT_LIKE = book("bt_like", _BT_PLOTS, _BT_ROLES, _INCIDENTS, ORDINARY + ODD, 2)
BT_GIRL = book(
    "bt_girl",
    [plot("sign", MAIN, Quota("key", trait="girl")), *_BT_PLOTS[2:], _BT_PLOTS[0]],
    _BT_ROLES,
    _INCIDENTS,
    ORDINARY + ODD,
    2,
)


def sheet(
    rulebook: Rulebook,
    cast: tuple[str, ...] | int,
    incidents: tuple[str, ...] = (),
    *,
    cast_complete: bool = True,
    loops: int = 3,
    days: int = 4,
) -> Sheet:
    """Return a sheet: a cast by ids or so many ordinary cards, incidents on days 1, 2, ..."""
    names = tuple(item.id for item in ORDINARY[:cast]) if isinstance(cast, int) else cast
    return Sheet(
        set=rulebook.id,
        loops=loops,
        days=days,
        cast=names,
        cast_complete=cast_complete,
        incidents=tuple(ScheduledIncident(n + 1, name) for n, name in enumerate(incidents)),
    )


LENIENT = TableRulings({"script_obeys_creation_rules": None, "mystery_boy_may_be_person": None})
