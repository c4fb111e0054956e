"""What a step that was noted only in part makes unknown.

Whatever a rule of the set could have changed in that step, in any world, becomes unknown
at the beginning of the step; a condition on it then counts as "either" (DESIGN section 3).
"""

from __future__ import annotations

from engine.board import Board
from engine.kleene import MAYBE, NO, YES
from engine.records import AnyRecord, Happens, PlayedCard
from engine.rules.model import (
    ChangeTokens,
    ClearUser,
    ConvertToken,
    GaugeUp,
    GaugeUse,
    GoodwillAbility,
    KillCulprit,
    KillEveryoneAt,
    KillOne,
    KillTarget,
    LastingEffect,
    LeaveBoard,
    MoveAnyHere,
    MoveCulprit,
    MoveTarget,
    MoveTokenBetween,
    NameLocation,
    On,
    Place,
    Put,
    ResolveIncident,
    ReviveTarget,
    Rulebook,
    StepUser,
    Timing,
    Transfer,
)
from engine.rules.model import PassToken as PassTokenDeed
from engine.script import Sheet
from engine.table import blur_haunting
from engine.words import (
    CARDS,
    DAY_START,
    DECKS,
    GOODWILL_STEP,
    INCIDENT_STEP,
    LOOP_START,
    MASTERMIND_STEP,
    NIGHT,
    TOKENS,
)


def blur(
    rules: Rulebook, sheet: Sheet, board: Board, step: str, noted: tuple[AnyRecord, ...]
) -> None:
    """Make unknown on ``board`` what unnoted events of ``step`` could have changed."""
    if step == LOOP_START:
        _tokens(board, dead_too=True)
        _locations(board)
        blur_haunting.loop_start(rules, board)
    elif step == CARDS:
        cards = [record for record in noted if isinstance(record, PlayedCard)]
        hidden_face = any(record.card is None for record in cards)
        if hidden_face or len(cards) < 3 + len(DECKS):
            _tokens(board)
            _locations(board)
            _places(rules, board)
    elif step == MASTERMIND_STEP:
        _mastermind(rules, board)
        blur_haunting.mastermind(rules, board)
    elif step == GOODWILL_STEP:
        _goodwill(rules, sheet, board)
    elif step == INCIDENT_STEP:
        _incident(rules, sheet, board, noted)
    elif step == NIGHT:
        _night(rules, board)


def forget_everything(rules: Rulebook, board: Board) -> None:
    """Make unknown all that any part of a loop could have changed (an unnoted stretch)."""
    _tokens(board, dead_too=True)
    _locations(board)
    _places(rules, board)
    for card in board.cards.values():
        card.alive = MAYBE
    board.gauge = board.gauge_max = None
    board.revealed_known = False
    blur_haunting.stretch(rules, board)


def _living(board: Board) -> list[str]:
    return [who for who in board.cards if board.alive(who) != NO]


def _tokens(board: Board, tokens: tuple[str, ...] = TOKENS, *, dead_too: bool = False) -> None:
    for who in board.cards if dead_too else _living(board):
        for token in tokens:
            setattr(board.cards[who], token, None)


def _locations(board: Board) -> None:
    for place in board.intrigue:
        board.intrigue[place] = None


def _places(rules: Rulebook, board: Board) -> None:
    for who in _living(board):
        character = rules.characters[who]
        stuck = len(board.intrigue) - len(character.forbidden) == 1
        if not stuck or board.effect("freed", who) != NO:
            board.cards[who].at = None


def _mastermind(rules: Rulebook, board: Board) -> None:
    sources = [role.abilities for role in rules.roles.values()]
    sources += [plot.abilities for plot in rules.plots.values()]
    for own in (own for abilities in sources for own in abilities):
        if own.timing is not Timing.MASTERMIND:
            continue
        deed = own.does
        if isinstance(deed, Place):
            if {On.HERE, On.ANY_LOCATION} & set(deed.on):
                _locations(board)
            if {On.SELF, On.CHARACTER_HERE, On.OTHER_HERE} & set(deed.on):
                _tokens(board, (deed.token,))
        elif isinstance(deed, PassTokenDeed):
            _tokens(board)
    for who in _living(board):
        character = rules.characters[who]
        for ability in character.goodwill:
            if ability.mastermind and isinstance(ability.does, ChangeTokens):
                _tokens(board, (ability.does.token,))
        if character.passes_token:
            _tokens(board)


def _usable(board: Board, who: str, ability: GoodwillAbility) -> bool:
    goodwill = board.goodwill(who)
    spent = ability.once_per_loop and ability.key in board.used.get(who, ())
    return (goodwill is None or goodwill >= ability.goodwill) and not spent


def _goodwill(rules: Rulebook, sheet: Sheet, board: Board) -> None:
    for who in _living(board):
        character = rules.characters[who]
        if character.passes_token:
            _tokens(board)
        for ability in character.goodwill:
            if _usable(board, who, ability):
                _goodwill_deed(rules, sheet, board, who, ability)


def _goodwill_deed(
    rules: Rulebook, sheet: Sheet, board: Board, who: str, ability: GoodwillAbility
) -> None:
    match ability.does:
        case ChangeTokens(token=token):
            _tokens(board, (token,))
            if token == "intrigue":
                _locations(board)
        case ConvertToken() | MoveTokenBetween():
            _tokens(board)
        case KillTarget() | ReviveTarget():
            if isinstance(ability.does, ReviveTarget):
                blur_haunting.revival(rules, board)
            for card in board.cards.values():
                card.alive = MAYBE
        case LastingEffect(kind=kind):
            on = ability.target.character or who
            if board.effect(kind, on) == NO:
                board.effects[kind, on] = (MAYBE, None)
        case LeaveBoard() | StepUser():
            board.cards[who].at = None
        case MoveTarget():
            _places(rules, board)
        case ClearUser():
            for token in TOKENS:
                setattr(board.cards[who], token, None)
            if rules.gauge is GaugeUse.INCIDENTS:
                board.gauge = None
        case ResolveIncident():
            for number, item in enumerate(sheet.incidents):
                _effect(rules, sheet, board, number)
                parts = rules.incidents[item.incident].parts
                if any(isinstance(part, GaugeUp) for part in parts):
                    board.gauge = None
        case _:
            _other_deed(rules, board)


def _other_deed(rules: Rulebook, board: Board) -> None:
    """Reveals change nothing on the board but may let a Friend-like effect follow (N-05)."""
    board.revealed_known = False


def _incident(rules: Rulebook, sheet: Sheet, board: Board, noted: tuple[AnyRecord, ...]) -> None:
    numbers = sheet.incidents_on(board.day)
    said = [record.occurs for record in noted if isinstance(record, Happens)]
    if not numbers or False in said:
        return
    if not said:
        board.occurred[board.day] = MAYBE
    for number in numbers:
        _effect(rules, sheet, board, number)


def _effect(rules: Rulebook, sheet: Sheet, board: Board, number: int) -> None:
    """Make unknown what the effect of one incident could change."""
    for part in rules.incidents[sheet.incidents[number].incident].parts:
        match part:
            case KillOne() | KillCulprit():
                _doubt_lives(board)
            case KillEveryoneAt(place=place):
                for who in _living(board):
                    if board.is_at(who, place) != NO:
                        board.cards[who].alive = MAYBE
            case Put(tokens=tokens, on=on):
                if isinstance(on, On):
                    _tokens(board, tokens)
                else:
                    board.intrigue[on] = None
            case Transfer(token=token):
                _tokens(board, (token,))
            case MoveCulprit():
                _places(rules, board)
                _locations(board)
            case MoveAnyHere():
                _places(rules, board)
                for who in _living(board):
                    board.hold(who, MAYBE)
            case NameLocation(days=days):
                for place in board.intrigue:
                    if board.effect("closed", place) != YES:
                        board.effects["closed", place] = (MAYBE, board.day + days - 1)
            case one:
                blur_haunting.part(board, one)
    _reactions(rules, board)


def _night(rules: Rulebook, board: Board) -> None:
    _doubt_lives(board)
    _reactions(rules, board)
    blur_haunting.night(rules, board)


def _doubt_lives(board: Board) -> None:
    for who in _living(board):
        board.cards[who].alive = MAYBE


def _reactions(rules: Rulebook, board: Board) -> None:
    for role in rules.roles.values():
        for ability in role.abilities:
            if ability.timing is Timing.OTHER_DEATH and isinstance(ability.does, Place):
                _tokens(board, (ability.does.token,))


def could_change(rules: Rulebook, step: str, sheet: Sheet, board: Board) -> bool:
    """Tell whether anything can be noted in a step; if not it is complete by itself."""
    if step == INCIDENT_STEP:
        return bool(sheet.incidents_on(board.day))
    if step == DAY_START:
        spell = (
            rules.gauge is GaugeUse.KNOWLEDGE
            and board.day == 1
            and (board.gauge is None or board.gauge >= 1)
        )
        return spell or not sheet.cast_complete
    return step in (LOOP_START, CARDS, MASTERMIND_STEP, GOODWILL_STEP, NIGHT, "loop_end")
