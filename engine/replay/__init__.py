"""Replay: could this script have shown what was noted, and by which hidden choices?

The search drives the machines of ``engine.steps`` under the records of a compiled transcript,
and carries the hidden choices that outlive a step as sets of flags (``docs/semantics.md``).
"""

from engine.replay.fit import misfit
from engine.replay.state import Replay, Replayer, ReplayState, replay

__all__ = ["Replay", "ReplayState", "Replayer", "misfit", "replay"]
