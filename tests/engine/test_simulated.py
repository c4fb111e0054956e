"""Simulated games: they obey the public rules, reach everything, and are replayed as possible."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine import records
from engine.generate import random_script
from engine.legality import violations
from engine.play import Play, play
from engine.policies import POLICIES, PROTAGONISTS
from engine.records import Happens, LoopOver, Reveal, Transcript, Use
from engine.rulings import TableRulings
from engine.sets import RULEBOOKS
from engine.simulate import Game, simulate
from engine.table import compile_table
from engine.view import World
from tests.engine.tools import OWN, played, published, replayed, sheet

SEEDS = range(12)


def own_games() -> Iterator[Game]:
    for number in range(len(OWN)):
        for seed in SEEDS:
            announces = "net" if seed % 4 == 3 else "every_token"
            yield played(number, seed, players=(3, 3, 2, 1)[seed % 4], announces=announces)


def test_our_scripts_are_legal() -> None:
    assert [violations(secret) for secret in OWN] == [[]] * len(OWN)


@pytest.mark.parametrize("number", range(len(OWN)))
def test_games_over_our_own_scripts_are_possible(number: int) -> None:
    for seed in SEEDS:
        game = played(number, seed)
        verdict = replayed(game)
        assert verdict.possible, (seed, verdict)


@pytest.mark.parametrize(("players", "announces"), [(2, "every_token"), (1, "net")])
def test_games_with_fewer_players_are_possible(players: int, announces: str) -> None:
    for number in range(len(OWN)):
        for seed in range(5):
            verdict = replayed(played(number, seed, players=players, announces=announces))
            assert verdict.possible, (number, seed, verdict)


def test_games_over_published_scripts_are_possible(shared: Path) -> None:
    for number, secret in enumerate(published(shared / "scripts", "fs")):
        policy = tuple(POLICIES)[number % len(POLICIES)]
        for seed in range(3):
            verdict = replayed(simulate(secret, seed, policy))
            assert verdict.possible, (secret.id, policy, seed, verdict)


@pytest.mark.slow
def test_two_hundred_games_over_published_scripts_are_possible(shared: Path) -> None:
    """Every way of playing, over all plain First Steps scripts."""
    count = 0
    for secret in published(shared / "scripts", "fs"):
        for policy in POLICIES:
            for seed in range(10, 17):
                verdict = replayed(simulate(secret, seed, policy))
                assert verdict.possible, (secret.id, policy, seed, verdict)
                count += 1
    assert count >= 200


@pytest.mark.parametrize("set_id", sorted(RULEBOOKS))
def test_games_over_random_scripts_are_possible(set_id: str) -> None:
    for seed in range(25):
        secret = random_script(RULEBOOKS[set_id], Random(f"games/{seed}"))
        verdict = replayed(simulate(secret, seed, players=(3, 2)[seed % 2]))
        assert verdict.possible, (seed, verdict)


def test_the_same_seed_gives_the_same_game() -> None:
    one, two = (simulate(OWN[0], 5, "presses") for _ in range(2))
    assert one == two
    assert simulate(OWN[0], 6, "presses").transcript != one.transcript


def test_a_game_breaks_no_public_rule_and_every_step_is_complete() -> None:
    for game in own_games():
        table = compile_table(game.transcript)
        assert table.problems == []
        assert all(step.complete for step in table.steps)
        assert not any(step.partial for step in table.steps)


def test_the_compiled_board_is_the_board_that_was_played() -> None:
    for number, secret in enumerate(OWN):
        seen = []

        class Watch(Play):
            def complete(self) -> None:
                super().complete()
                seen.append((self.at, self.board.copy()))  # noqa: B023

        table_sheet = sheet(secret)
        world = World(RULEBOOKS[secret.set], table_sheet, secret)
        told, _ = play(
            table_sheet,
            secret,
            POLICIES["presses"](Random(number)),
            PROTAGONISTS["tests"](Random(number)),
            game=Watch,
            world=world,
        )
        after = {step.at: step.after for step in compile_table(told).steps}
        for at, board in seen:
            known = after[at]
            for who, card in board.cards.items():
                assert known.cards[who] == card, (at, who)
            assert known.intrigue == board.intrigue, at
            assert known.spent == board.spent, at


# What games reach -------------------------------------------------------------------------


def told(kind: type, games: list[Game]) -> Iterator[records.AnyRecord]:
    for game in games:
        for record in game.transcript.records:
            if isinstance(record, kind):
                yield record


@pytest.fixture(scope="module")
def many() -> list[Game]:
    """Return games over our own and over random scripts, enough to meet everything."""
    games = list(own_games())
    for number, secret in enumerate(OWN):
        for policy in POLICIES:
            games += [simulate(secret, 100 * number + seed, policy) for seed in range(10)]
    games += [simulate(OWN[0], seed, "bluffs", protagonists="tests") for seed in range(24)]
    return games


def test_every_ability_is_used_accepted_and_refused(many: list[Game]) -> None:
    answers = Counter[tuple[str, str | None]]()
    for game in many:
        answers.update((choice.source, choice.answer) for choice in game.course if choice.answer)
    cards = {who for secret in OWN for who in secret.cast}
    for who in cards:
        for ability in RULEBOOKS["first_steps"].characters[who].goodwill:
            assert answers[f"{who}.{ability.key}", "accepted"], (who, ability.key)
    refusing = {
        who
        for secret in OWN
        for who, role in secret.cast.items()
        if RULEBOOKS["first_steps"].roles[role].refusal.value != "none"
        and any(ability.refusable for ability in RULEBOOKS["first_steps"].characters[who].goodwill)
    }
    assert {source.split(".")[0] for source, answer in answers if answer == "refused"} == refusing


def test_every_outcome_is_spoken(many: list[Game]) -> None:
    words = Counter(use.outcome for use in told(Use, many) if isinstance(use, Use))
    assert set(words) == {"resolved", "refused", "nothing"}


def test_every_hidden_ability_is_used(many: list[Game]) -> None:
    used = {choice.source for game in many for choice in game.course}
    rules = RULEBOOKS["first_steps"]
    roles = {role for secret in OWN for role in secret.cast.values()}
    hidden = {
        ability.id
        for role in roles
        for ability in rules.roles[role].abilities
        if ability.timing.value in ("cards", "mastermind", "night")
    }
    assert hidden | {"an_unsettling_rumor.intrigue", "doctor.2"} <= used


def test_every_incident_occurs_with_and_without_effect(many: list[Game]) -> None:
    seen = set()
    for game in many:
        for at, incident, occurs, shown in incidents(game.transcript):
            seen.add((incident, "occurs" if occurs else "quiet"))
            if occurs:
                seen.add((incident, "shown" if shown else "empty"))
            assert at[2] == "incident"
    for incident in RULEBOOKS["first_steps"].incidents:
        assert {(incident, word) for word in ("occurs", "quiet", "shown")} <= seen
    empty = {incident for incident, word in seen if word == "empty"}
    assert {"homicide", "faraway_murder", "hospital_horror", "transfer_friendship"} <= empty


def incidents(game: Transcript) -> Iterator[tuple[tuple[int, int, str], str, bool, bool]]:
    schedule = {item.day: item.incident for item in game.sheet.incidents}
    by_step: dict[tuple[int, int, str], list[records.AnyRecord]] = {}
    for record in game.records:
        by_step.setdefault(record.at, []).append(record)
    for at, listed in by_step.items():
        for record in listed:
            if isinstance(record, Happens):
                silent = (records.Happens, records.Complete)
                shown = any(not isinstance(other, silent) for other in listed)
                yield at, schedule[at[1]], record.occurs, shown


def test_loops_end_in_every_way(many: list[Game]) -> None:
    ends = {(over.at[2], over.word) for over in told(LoopOver, many) if isinstance(over, LoopOver)}
    assert {
        ("goodwill", "lost"),
        ("incident", "lost"),
        ("incident", "dead"),
        ("night", "lost"),
        ("night", "dead"),
        ("loop_end", "lost"),
        ("loop_end", "won"),
    } <= ends


def test_roles_culprits_and_subplots_are_told(many: list[Game]) -> None:
    kinds = set()
    for record in told(Reveal, many):
        assert isinstance(record, Reveal)
        for name in ("role_of", "culprit_of", "subplot"):
            if getattr(record, name) is not None:
                kinds.add((record.at[2], name))
    assert kinds == {
        ("goodwill", "role_of"),
        ("goodwill", "culprit_of"),
        ("goodwill", "subplot"),
        ("loop_end", "role_of"),
    }


def test_cards_come_back_people_rise_and_guards_go(many: list[Game]) -> None:
    for kind in (
        records.CardBack,
        records.Revived,
        records.GuardLost,
        records.Placed,
        records.CardResult,
        records.Moved,
    ):
        assert any(told(kind, many)), kind


def test_a_revealed_friend_gets_goodwill_at_the_next_loop_start(many: list[Game]) -> None:
    tokens = [
        record
        for record in told(records.Token, many)
        if record.at[2] == "loop_start" and isinstance(record, records.Token) and record.by is None
    ]
    assert tokens
    assert all(record.token == "goodwill" and record.n == 1 for record in tokens)


def test_tables_with_other_rulings_are_replayed_by_them() -> None:
    choices: list[dict[str, bool | None]] = [
        {"key_person_death_ends_loop": False},
        {"key_person_death_ends_loop": None},
        {"homicide_may_hit_culprit": False},
        {"hospital_key_person_first": False},
        {"hospital_key_person_first": True},
    ]
    for number, secret in enumerate(OWN):
        for chosen in choices:
            for seed in range(2):
                game = simulate(secret, seed, "presses", rulings=TableRulings(chosen))
                assert game.transcript.rulings == chosen
                verdict = replayed(game)
                assert verdict.possible, (number, chosen, seed, verdict)
