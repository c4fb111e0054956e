"""Comparing the two sides on one simulated game; nothing is judged here."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import structs

from assistant.deduction import Deduction, up_to_record
from assistant.lab.blurring import blurred, some_ways
from assistant.lab.drawing import PARTS, Part, exactly, isolate, near_misses
from assistant.lab.games import GameSpec
from assistant.lab.sides import CLUES, REPLAY, Books, Said, Sides
from assistant.lab.tally import ACCEPTED, DIFFER, REJECTED, Finding, Tally
from assistant.transcript import jsonform, validate
from assistant.transcript.jsonform import Case
from assistant.worlds import Worlds
from engine import records
from engine.legality import violations
from engine.records import Transcript
from engine.rulings import TableRulings
from engine.script import Script, Sheet

CASES: Final = "cases"
"""What stands for the policy where games are taken from case files."""
_PREFIXES: Final = 2
"""At so many complete steps of a game, beside its end, the worlds are counted."""
_BLURRED: Final = 2
"""So many blurred copies of a game are looked at."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is done with each game.

    Attributes:
        worlds: how many worlds a game to judge by both sides; 0 for the truth alone.
        blur: take knowledge away from the games too.
        isolate_all: look for an isolated world for every clue, however many there are.
    """

    worlds: int
    blur: bool = False
    isolate_all: bool = False


class FreshWorlds:
    """All legal worlds of a sheet; kept for the next game of the same script."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] | None = None
        self._worlds: Worlds | None = None

    def of(self, sheet: Sheet, books: Books, rulings: TableRulings) -> Worlds:
        """Return the worlds of a sheet, however many people play."""
        key = (structs.replace(sheet, players=3), id(books.clues), tuple(rulings.chosen.items()))
        if self._worlds is None or key != self._key:
            self._key, self._worlds = key, Worlds(sheet, books.clues, rulings)
        return self._worlds


class Comparison:
    """One game under comparison.

    Attributes:
        tally: what has been counted and found.
    """

    def __init__(self, spec: GameSpec, books: Books, options: Options, fresh: FreshWorlds) -> None:
        self.spec = spec
        self.books = books
        self.options = options
        self.tally = Tally()
        self._keeper = fresh
        self._fresh: Worlds | None = None
        self._known: Deduction | None = None
        self._after = ""  # how the game that is looked at was blurred

    def run(self) -> Tally:
        """Play the game, compare, and return what was counted and found."""
        self.tally.games[self.spec.policy] += 1
        try:
            transcript = self.spec.play(self.books.engine).transcript
        except Exception:
            self._error("the simulation", None)
            return self.tally
        self.look_at(transcript)
        return self.tally

    def look_at(self, transcript: Transcript) -> None:
        """Compare the sides on a game of this script."""
        try:
            self._look_at(transcript)
        except Exception:
            self._error("the comparison", transcript)

    def look_at_case(self, transcript: Transcript) -> None:
        """Compare the sides on the game of a case, around a script that it judges.

        Whether the case comes out as it says is for ``assistant.lab.cases``.
        """
        self.tally.games[self.spec.policy] += 1
        try:
            if validate.problems(transcript):
                return
            sides = Sides(transcript, self.books)
            if sides.refused:
                return
            self._fresh = self._keeper.of(transcript.sheet, self.books, sides.rulings)
            self._seen(sides)
            share = max(1, self.options.worlds // len(PARTS))
            self._parts(sides, self.spec.script, share, "case")
        except Exception:
            self._error("the comparison", transcript)

    def _look_at(self, transcript: Transcript) -> None:
        whole = self._sides(transcript)
        if whole is None:
            return
        truth = self._truth(whole)
        cut = self._cut(transcript, "cut")
        if cut is not None:
            self._truth(cut)
        if not self.options.worlds:
            if self.options.blur:
                self._all_blurred(whole, truth)
            return
        rulings = TableRulings(transcript.rulings)
        self._fresh = self._keeper.of(transcript.sheet, self.books, rulings)
        self._seen(whole)
        self._counts(transcript, whole)
        views = [whole] if cut is None else [whole, cut]
        share = self.options.worlds // (len(PARTS) * len(views))
        left = self.options.worlds // len(PARTS) - share * (len(views) - 1)
        for number, sides in enumerate(views):
            self._parts(sides, truth, left if number == 0 else share, f"view {number}")
        if self.options.blur:
            self._all_blurred(whole, truth)

    # The views of a game ----------------------------------------------------------------

    def _sides(self, transcript: Transcript, earlier: Transcript | None = None) -> Sides | None:
        """Return both sides' reading, ``None`` (and a finding) if a reading refuses the game."""
        refused = [str(error) for error in validate.problems(transcript)]
        if not refused:
            sides = Sides(transcript, self.books)
            if not sides.refused:
                return sides
            refused = [sides.refused]
        rule = refused[0].rsplit("[", 1)[-1].rstrip("]") if "[" in refused[0] else "form"
        self._found("refused", f"public rule {rule}", Part.TRUTH, "\n".join(refused), transcript)
        return None

    def _cut(self, transcript: Transcript, purpose: str) -> Sides | None:
        """Return the game as it stood after a random record."""
        number = self.spec.rng(purpose).randint(1, max(1, len(transcript.records) - 1))
        if number >= len(transcript.records):
            return None
        return self._sides(up_to_record(transcript, number))

    def _truth(self, sides: Sides, earlier: Transcript | None = None) -> Script:
        """Check that both sides accept the truth; return it with the loops of the sheet."""
        truth = structs.replace(self.spec.script, loops=(sides.transcript.sheet.loops,))
        for side, said in ((CLUES, sides.by_clues([truth])[0]), (REPLAY, sides.by_replay(truth))):
            self.tally.checks["truths"] += 1
            if not said.possible:
                self.tally.lost[side, self.spec.policy] += 1
                self._found(
                    "lost truth",
                    f"{side}: {said.cause}",
                    Part.TRUTH,
                    f"{side} lose the truth:\n{said.text}",
                    sides.transcript,
                    earlier=earlier,
                )
        return truth

    # Worlds -----------------------------------------------------------------------------

    def _seen(self, sides: Sides) -> None:
        for clue in sides.clues:
            self.tally.kinds[clue.kind, "seen"] += 1

    def _counts(self, transcript: Transcript, whole: Sides) -> None:
        """Check that knowledge never makes the number of worlds grow."""
        assert self._fresh is not None
        marks = [
            number
            for number, record in enumerate(transcript.records, 1)
            if isinstance(record, records.Complete) and number < len(transcript.records)
        ]
        rng = self.spec.rng("counts")
        chosen = sorted(rng.sample(marks, min(_PREFIXES, len(marks))))
        count: int | None = None
        for number in (*chosen, len(transcript.records)):
            sides = (
                whole
                if number == len(transcript.records)
                else Sides(up_to_record(transcript, number), self.books)
            )
            self._known = self._deduced(sides, self._known)
            before, count = count, self._known.worlds.count()
            self.tally.checks["counts"] += 1
            if before is not None and count > before:
                at = transcript.records[number - 1].at
                self._found(
                    "count",
                    f"grew at {at[2]}",
                    Part.LEFT,
                    f"{before} worlds before, {count} after record {number}",
                    sides.transcript,
                )

    def _deduced(self, sides: Sides, known: Deduction | None) -> Deduction:
        """Deduce with the help of what is known; it has to give the clues of a fresh start."""
        found = Deduction.of(sides.transcript, known, self.books.clues)
        self.tally.checks["deductions"] += 1
        if [clue.formula for clue in found.clues] != [clue.formula for clue in sides.clues]:
            self._found(
                "deduction",
                "earlier work that was reused gives other clues",
                Part.LEFT,
                "the clues differ from those derived afresh",
                sides.transcript,
                earlier=None if known is None else known.table.transcript,
            )
        return found

    def _parts(self, sides: Sides, truth: Script, share: int, purpose: str) -> None:
        """Compare the sides on worlds of all parts, ``share`` of each."""
        assert self._fresh is not None
        rng = self.spec.rng(purpose)
        left = sides.worlds(self._fresh)
        drawn: list[tuple[Part, Script]] = []
        if left.any():
            drawn += [(Part.LEFT, sides.script(w)) for w in left.sample(rng, share)]
        clues = sides.clues
        wanted = len(clues) if self.options.isolate_all else share
        isolation = isolate(self._fresh, clues, rng, wanted)
        for name, numbers in (("tested", isolation.tested), ("implied", isolation.implied)):
            for kind, number in numbers.items():
                self.tally.kinds[kind, name] += number
        alone = {}
        for number, world in isolation.found:
            alone[len(drawn)] = number
            drawn.append((Part.ISOLATED, sides.script(world)))
        near = near_misses(truth, rng, self.books.engine, share)
        drawn += [(Part.NEAR, script) for script in near]
        drawn += [(Part.RANDOM, sides.script(w)) for w in self._fresh.sample(rng, share)]
        said = self._judge(sides, drawn)
        self._same_worlds(sides, drawn, said, alone)

    def _judge(self, sides: Sides, drawn: Sequence[tuple[Part, Script]]) -> list[Said]:
        """Ask both sides about scripts and compare; return what the clues say."""
        by_clues = sides.by_clues([script for _, script in drawn])
        for (part, script), clues in zip(drawn, by_clues, strict=True):
            replay = sides.by_replay(script)
            if clues.possible is replay.possible:
                outcome = ACCEPTED if clues.possible else REJECTED
            else:
                outcome = DIFFER
                no = clues if replay.possible else replay
                refuses = CLUES if replay.possible else REPLAY
                self._found(
                    "disagreement",
                    f"{refuses} refuse: {no.cause}",
                    part,
                    f"{refuses} refuse, the other side accepts:\n{no.text}",
                    sides.transcript,
                    script,
                )
            self.tally.pairs[part, self.spec.policy, outcome] += 1
        return by_clues

    def _same_worlds(
        self,
        sides: Sides,
        drawn: Sequence[tuple[Part, Script]],
        said: Sequence[Said],
        alone: dict[int, int],
    ) -> None:
        """Check the worlds themselves: against the formulas, and against legality."""
        assert self._fresh is not None
        for place, (part, script) in enumerate(drawn):
            self.tally.checks["worlds"] += 1
            broken = said[place].broken
            if (part is Part.LEFT and broken) or (place in alone and broken != (alone[place],)):
                self._found(
                    "worlds",
                    f"the diagram and the formulas differ ({part})",
                    part,
                    said[place].text or "no clue is broken",
                    sides.transcript,
                    script,
                )
            if part is Part.NEAR:
                fits = self._fresh.conjoin(
                    exactly(sides.world(script), self._fresh.composition)
                ).any()
                why = "" if fits else "the worlds of the sheet do not hold a legal script"
            else:
                found = violations(script, sides.rulings, self.books.engine)
                why = f"a world is not a legal script: {found[0].rule}" if found else ""
            if why:
                self._found("legality", why, part, why, sides.transcript, script)

    # Less knowledge ---------------------------------------------------------------------

    def _all_blurred(self, whole: Sides, truth: Script) -> None:
        for number in range(_BLURRED):
            self._blurred(whole, truth, number)
        self._after = ""

    def _blurred(self, whole: Sides, truth: Script, number: int) -> None:
        """Compare the sides on a blurred copy, and the copy with the whole."""
        rng = self.spec.rng(f"blur {number}")
        ways = some_ways(rng)
        transcript = blurred(whole.engine_table, rng, ways)
        self.tally.checks["blurred"] += 1
        self._after = f" after {', '.join(ways)}"
        sides = self._sides(transcript, whole.transcript)
        if sides is None:
            return
        self._truth(sides, whole.transcript)
        if self._fresh is None:
            return
        self._deduced(sides, self._known)
        share = self.options.worlds // (len(PARTS) * _BLURRED)
        left = whole.worlds(self._fresh)
        kept = [whole.script(world) for world in left.sample(rng, share)] if left.any() else []
        self._keeps(sides, whole, kept)
        self._parts(sides, truth, share, f"blur {number}")

    def _keeps(self, sides: Sides, whole: Sides, kept: Sequence[Script]) -> None:
        """Check that a blurred game leaves the worlds that the whole one leaves."""
        for script, clues in zip(kept, sides.by_clues(kept), strict=True):
            for side, said in ((CLUES, clues), (REPLAY, sides.by_replay(script))):
                self.tally.checks["kept"] += 1
                before = whole.by_replay(script) if side == REPLAY else Said(True)
                if before.possible and not said.possible:
                    self._found(
                        "blur",
                        f"{side}: {said.cause}",
                        Part.LEFT,
                        f"{side} lose a world by less knowledge:\n{said.text}",
                        sides.transcript,
                        script,
                        whole.transcript,
                    )

    # Findings ---------------------------------------------------------------------------

    def _found(
        self,
        kind: str,
        cause: str,
        part: Part,
        text: str,
        transcript: Transcript | None,
        world: Script | None = None,
        earlier: Transcript | None = None,
    ) -> None:
        spec = self.spec
        game = f"{spec.name} game {spec.number} ({spec.policy}, {spec.players} players)"
        if transcript is not None and transcript.title:
            game = f"{game}: {transcript.title}"
        self.tally.found(
            Finding(
                kind,
                cause + self._after,
                game,
                part,
                text,
                "" if transcript is None else jsonform.dump(transcript),
                script_json(spec.script),
                "" if world is None else script_json(world),
                "" if earlier is None else jsonform.dump(earlier),
            )
        )

    def _error(self, where: str, transcript: Transcript | None) -> None:
        text = traceback.format_exc()
        last = text.strip().splitlines()[-1]
        self._found("error", f"{where}: {last[:100]}", Part.TRUTH, text, transcript)


def script_json(script: Script) -> str:
    """Return the JSON form of a script."""
    return msgspec.json.format(msgspec.json.encode(script), indent=1).decode() + "\n"


def compare_cases(cases: Iterable[tuple[str, Case]], options: Options) -> Tally:
    """Compare the sides on the games of cases."""
    tally = Tally()
    fresh = FreshWorlds()
    for name, case in cases:
        scripts = [item.script for item in case.scripts if item.possible]
        script = (scripts or [item.script for item in case.scripts])[0]
        players = case.transcript.sheet.players
        spec = GameSpec(name, script, 0, 1, CASES, players)
        comparison = Comparison(spec, Books.of(script.set), options, fresh)
        comparison.look_at_case(case.transcript)
        tally.add(comparison.tally)
    return tally


def compare_games(games: Iterable[GameSpec], options: Options, books: Books | None = None) -> Tally:
    """Compare the sides on games, those of one script one after the other."""
    tally = Tally()
    fresh = FreshWorlds()
    for spec in games:
        reading = Books.of(spec.script.set) if books is None else books
        tally.add(Comparison(spec, reading, options, fresh).run())
    return tally
