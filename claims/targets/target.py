"""What is verified or hunted: one conclusion of one claim, with some assumptions dropped and some constants sharpened."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Self

from claims.stating.catalogue import catalogue
from claims.stating.statement import Assumption, Claim, Conclusion
from dynamics.arithmetic import rational
from dynamics.system import System


class TargetError(LookupError):
    """There is no such claim, conclusion, assumption or constant; the message says what there is."""


@dataclass(frozen=True)
class Target:
    """Plain data that names what is asked: it travels between processes and machines, and into files.

    `sharpened` holds constants as (name, exact number as text). `source` is the text of the user's own claim file, and
    `file` its name; without them the claim is one of the suite's.
    """

    claim: str
    conclusion: str
    dropped: tuple[str, ...] = ()
    sharpened: tuple[tuple[str, str], ...] = ()
    file: str | None = None
    source: str | None = None

    @classmethod
    def of(cls, claim: Claim, conclusion: Conclusion, dropped: tuple[str, ...] = ()) -> Self:
        """The conclusion as printed, without the named assumptions; a user's own claim is carried as its text."""
        return cls(claim.id, conclusion.name, dropped, (), claim.file, claim.source)

    def to_json(self) -> dict[str, Any]:
        """Plain data, without what is empty."""
        data: dict[str, Any] = {"claim": self.claim, "conclusion": self.conclusion}
        if self.dropped:
            data["dropped"] = list(self.dropped)
        if self.sharpened:
            data["sharpened"] = dict(self.sharpened)
        if self.source is not None:
            data |= {"file": self.file, "source": self.source}
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The target that :meth:`to_json` wrote."""
        dropped, constants = tuple(data.get("dropped", ())), tuple(data.get("sharpened", {}).items())
        return cls(data["claim"], data["conclusion"], dropped, constants, data.get("file"), data.get("source"))

    def __str__(self) -> str:
        text = f"{self.claim}.{self.conclusion}"
        if self.dropped:
            text += f" without {', '.join(self.dropped)}"
        if self.sharpened:
            text += f" with {', '.join(f'{name} = {value}' for name, value in self.sharpened)}"
        return text

    @property
    def file_name(self) -> str:
        """The name of the user's own file without its folder, which does not matter."""
        return PurePath(self.file or "").name

    def command(self, seed: int) -> str:
        """The command that hunts this target alone: it names neither a machine nor other targets."""
        # Without the folder: certificates carry this line, and must be the same on every machine.
        what = [self.claim] if self.source is None else ["--file", self.file_name]
        what += [word for name in self.dropped for word in ("--drop", name)]
        what += [word for name, value in self.sharpened for word in ("--sharpen", f"{name}={value}")]
        return shlex.join(["claims", "hunt", *what, "--seed", str(seed)])

    def resolve(self) -> Variant:
        """The claim, the conclusion with its constants, and the assumptions dropped. Raises TargetError."""
        if self.source is not None:
            from claims.targets.user_claims import claim_in  # noqa: PLC0415 -- only who brings a file needs it

            claim = claim_in(self.source, self.file or "claim file")
        elif self.claim in catalogue():
            claim = catalogue()[self.claim]
        else:
            raise TargetError(f"there is no claim {self.claim!r}")
        found = [conclusion for conclusion in claim.conclusions if conclusion.name == self.conclusion]
        if not found:
            names = ", ".join(conclusion.name for conclusion in claim.conclusions)
            raise TargetError(f"{claim.id} has no conclusion {self.conclusion!r}: it has {names}")
        conclusion = found[0]
        assumed = {assumption.name: assumption for assumption in claim.assumptions_of(conclusion)}
        for name in self.dropped:
            if name not in assumed:
                raise TargetError(f"{claim.id}.{conclusion.name} does not assume {name!r}: it assumes {', '.join(assumed)}")
        try:
            constants = {name: _like(conclusion.constants.get(name), value) for name, value in self.sharpened}
            sharpened = conclusion.sharpened(**constants) if constants else conclusion
        except ValueError as error:
            raise TargetError(str(error)) from None
        return Variant(claim, sharpened, tuple(assumed[name] for name in self.dropped))


def _like(printed: Any, value: str) -> Any:
    """The exact number; an int where the statement has one, which may be an exponent or a size. Raises ValueError."""
    number = rational(value)
    # An exponent or a size has to stay an int: x ** fmpq(2) is no power that every arithmetic knows.
    return int(number.p) if isinstance(printed, int) and number.q == 1 else number


@dataclass(frozen=True)
class Variant:
    """What a target names: a conclusion with the constants asked for, and without the assumptions dropped."""

    claim: Claim
    conclusion: Conclusion
    without: tuple[Assumption, ...]

    @property
    def printed(self) -> Conclusion:
        """The conclusion with the constants of the claim."""
        return next(conclusion for conclusion in self.claim.conclusions if conclusion.name == self.conclusion.name)

    @property
    def kept(self) -> tuple[Assumption, ...]:
        """The assumptions that a counterexample must satisfy."""
        return tuple(a for a in self.claim.assumptions_of(self.conclusion) if a not in self.without)

    def misses(self, system: System) -> list[str]:
        """The assumptions that keep the exact instance out: those kept and not satisfied, those dropped and not broken."""
        unmet = [assumption.name for assumption in self.kept if not assumption.satisfies(system)]
        return [*unmet, *(f"{one.name}, which is not broken" for one in self.without if not one.is_broken(system))]

    def admits(self, system: System) -> bool:
        """Whether the exact instance certainly satisfies what is kept and certainly breaks each assumption dropped."""
        # An open hypothesis admits nothing, neither among those kept nor among those dropped.
        return all(a.satisfies(system) for a in self.kept) and all(a.is_broken(system) for a in self.without)
