"""Writing down what a run has found, and making it small enough to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from msgspec import structs

from assistant.lab.boards import start_at
from assistant.lab.sides import CLUES, REPLAY, Books, Sides
from assistant.lab.tally import Finding
from assistant.transcript import jsonform, validate
from engine.records import Transcript
from engine.script import Script

_TRIES: Final = 400
"""So often is a smaller transcript tried before a pair is left as it is."""

Test = Callable[[Transcript], bool]


def write(findings: Iterable[Finding], folder: Path) -> list[Path]:
    """Write findings as files: transcript, the two scripts, and who said what.

    Args:
        findings: what was found.
        folder: where to write; made if it is not there.

    Returns:
        The text files, one a finding; the others have the same name and another ending. The
        first finding of each cause comes with a small transcript that shows the same.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    made_small: set[tuple[str, str]] = set()
    for number, finding in enumerate(findings, 1):
        base = folder / f"{number:03}-{_slug(finding.kind)}-{_slug(finding.cause)}"
        parts = {
            "transcript.json": finding.transcript,
            "truth.json": finding.truth,
            "world.json": finding.world,
            "earlier.json": finding.earlier,
        }
        for ending, text in parts.items():
            if text:
                Path(f"{base}.{ending}").write_text(text, encoding="utf-8")
        key = finding.kind, finding.cause
        small = None if key in made_small else smallest(finding)
        if small is not None:
            made_small.add(key)
            Path(f"{base}.small.json").write_text(jsonform.dump(small), encoding="utf-8")
        head = f"{finding.kind}: {finding.cause}\n{finding.game}, world: {finding.part}\n\n"
        text_file = Path(f"{base}.txt")
        text_file.write_text(f"{head}{finding.text}\n", encoding="utf-8")
        written.append(text_file)
    return written


def _slug(text: str) -> str:
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return "-".join(words)[:60]


def smallest(finding: Finding, books: Books | None = None) -> Transcript | None:
    """Return a small transcript on which the same still is found.

    Args:
        finding: a disagreement or a lost truth.
        books: the rule texts of the run; those of the set by default.

    Returns:
        The transcript, ``None`` where there is none that is smaller.
    """
    if finding.kind not in ("disagreement", "lost truth", "blur") or not finding.transcript:
        return None
    transcript = jsonform.load(finding.transcript, "finding")
    script = jsonform.load_script(finding.world or finding.truth, "finding")
    script = structs.replace(script, loops=(transcript.sheet.loops,))
    reading = books or Books.of(transcript.sheet.set)
    test = _test(finding, script, reading)
    if not test(transcript):
        return None
    small = shrink(transcript, test, reading)
    return None if small is transcript else small


def _test(finding: Finding, script: Script, books: Books) -> Test:
    """Return "this transcript shows the same": the same side refuses, the other does not."""
    refuses = CLUES if finding.cause.startswith(CLUES) else REPLAY
    both_matter = finding.kind == "disagreement"

    def test(transcript: Transcript) -> bool:
        try:
            if validate.problems(transcript):
                return False
            sides = Sides(transcript, books)
            if sides.refused:
                return False
            clues = sides.by_clues([script])[0].possible
            replay = sides.by_replay(script).possible
        except Exception:  # another fault than the one that is looked for
            return False
        no, other = (clues, replay) if refuses == CLUES else (replay, clues)
        return not no and (other or not both_matter)

    return test


def shrink(transcript: Transcript, test: Test, books: Books) -> Transcript:
    """Return a smaller transcript that passes the test, in steps first and records last.

    Args:
        transcript: passes the test.
        test: what the result has to show.
        books: the rule texts, for the boards in the middle of the game.
    """
    left = _TRIES
    small = _shorter(transcript, test)
    small = _later(small, test, books)
    position = 0
    while position < len(small.records) and left:
        left -= 1
        fewer = (*small.records[:position], *small.records[position + 1 :])
        tried = structs.replace(small, records=fewer)
        if fewer and test(tried):
            small = tried
        else:
            position += 1
    return small


def _shorter(transcript: Transcript, test: Test) -> Transcript:
    """Return the shortest beginning that passes the test."""
    moments = list(dict.fromkeys(record.at for record in transcript.records))
    ends = {record.at: number for number, record in enumerate(transcript.records, 1)}
    for at in moments:
        tried = structs.replace(transcript, records=transcript.records[: ends[at]])
        if test(tried):
            return tried
    return transcript


def _later(transcript: Transcript, test: Test, books: Books) -> Transcript:
    """Return the latest start from which the test still passes."""
    steps = Sides(transcript, books).engine_table.steps
    for step in reversed(steps[1:]):
        if step.gap or not step.numbers:
            continue
        start = start_at(step.before, step.at, transcript.sheet)
        if start is None:
            continue
        tried = structs.replace(
            transcript, start=start, records=transcript.records[step.numbers[0] :]
        )
        if test(tried):
            return tried
    return transcript
