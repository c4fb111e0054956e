"""What a run of the lab has counted and found, summed over games."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any, Final

ACCEPTED: Final = "accepted"
REJECTED: Final = "rejected"
DIFFER: Final = "differ"

KEPT_PER_CAUSE: Final = 5
"""So many findings of one cause are kept in full; the others are only counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be: a disagreement, a lost truth, a count that grew.

    Attributes:
        kind: ``disagreement``, ``lost truth``, ``count``, ``deduction``, ``legality``,
            ``worlds``, ``refused``, ``blur`` or ``error``.
        cause: which side said what and where; like cases have the same words.
        game: name of the script, number of the game, seed, policy and players.
        part: where the world was drawn.
        text: what each side said.
        transcript: the game.
        truth: its script.
        world: the script that was judged, where that is another one.
        earlier: the transcript with more knowledge, where two are compared.
    """

    kind: str
    cause: str
    game: str
    part: str
    text: str
    transcript: str = ""
    truth: str = ""
    world: str = ""
    earlier: str = ""


@dataclass(slots=True)
class Tally:
    """Numbers and findings.

    Attributes:
        games: number of games by policy.
        pairs: number of judged scripts by (part, policy, outcome).
        lost: number of lost truths by (side, policy).
        kinds: number of clues by (kind, ``seen``, ``tested`` or ``implied``).
        checks: how often what else was checked, by name.
        causes: number of findings by (kind, cause).
        findings: the first findings of each cause.
    """

    games: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what another part of the run has counted and found."""
        for item in fields(self):
            mine, more = getattr(self, item.name), getattr(other, item.name)
            if isinstance(mine, Counter):
                mine.update(more)
        kept = Counter((finding.kind, finding.cause) for finding in self.findings)
        for finding in other.findings:
            if kept[finding.kind, finding.cause] < KEPT_PER_CAUSE:
                kept[finding.kind, finding.cause] += 1
                self.findings.append(finding)

    def found(self, finding: Finding) -> None:
        """Count a finding, and keep it if it is among the first of its cause."""
        key = finding.kind, finding.cause
        self.causes[key] += 1
        if sum((f.kind, f.cause) == key for f in self.findings) < KEPT_PER_CAUSE:
            self.findings.append(finding)

    @property
    def number_found(self) -> int:
        """Return how many findings there are, those that were not kept included."""
        return sum(self.causes.values())

    def of_part(self, part: str) -> Counter[str]:
        """Return the outcomes of one part."""
        return self._outcomes(0, part)

    def of_policy(self, policy: str) -> Counter[str]:
        """Return the outcomes of the games with one policy."""
        return self._outcomes(1, policy)

    def _outcomes(self, place: int, name: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for key, number in self.pairs.items():
            if key[place] == name:
                found[key[2]] += number
        return found

    def of_kind(self, kind: str) -> int:
        """Return how many findings of a kind there are."""
        return sum(number for (name, _), number in self.causes.items() if name == kind)

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        kinds = sorted({kind for kind, _ in self.kinds})
        return {
            "games": dict(self.games),
            "pairs": [
                {"part": part, "policy": policy, "outcome": outcome, "number": number}
                for (part, policy, outcome), number in sorted(self.pairs.items())
            ],
            "lost": [
                {"side": side, "policy": policy, "number": number}
                for (side, policy), number in sorted(self.lost.items())
            ],
            "clues": {
                kind: {name: self.kinds[kind, name] for name in ("seen", "tested", "implied")}
                for kind in kinds
            },
            "checks": dict(sorted(self.checks.items())),
            "findings": [
                {"kind": kind, "cause": cause, "number": number}
                for (kind, cause), number in sorted(self.causes.items())
            ],
        }
