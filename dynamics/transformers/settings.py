"""What a run is: task, attention map, size and training. Plain data, the same on every machine."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

# Table 1 of the paper by its names, and the uniform attention that the authors' code has besides.
MAPS = ("softmax", "sigmoid", "elu", "elu*elu", "mlp", "linear", "uniform")
POSITIVE = ("softmax", "sigmoid", "elu", "elu*elu")  # maps whose attention is never negative
ALWAYS_NORMALISED = ("softmax", "uniform")
TASKS = ("induction", "classification")
POSITIONS = ("add", "concat", "no")
TINY = 1e-9  # added to sums that normalise, as in the authors' code

# What may be wrong with each field alone: said with its name, since data of a sweep may come from elsewhere.
NAMES = {"task": TASKS, "attention": MAPS, "positions": POSITIONS}
COUNTS = ("layers", "heads", "width", "vocabulary", "labels", "tokens", "samples", "evaluated", "batch", "epochs")
NUMBERS = ("rate", "weight")
FLAGS = ("normalised", "mlp", "layer_norm", "shifted", "replacement", "scaled")


class SettingError(ValueError):
    """A setting that no run can have; the message says what is wrong with it."""


@dataclass(frozen=True)
class Setting:
    """One run but for its seed. The defaults are those of tables 2 and 3 with the authors' code where the text is silent.

    `tokens` is the number of random tokens, k of E.1 and n of E.3; `vocabulary` counts BOS or CLS. `replacement` draws
    tokens "uniformly at random" as the text says; the authors' code draws them without replacement. `scaled` divides
    elu*elu by the root of d_h as table 1 does; the code does not. Raises SettingError.
    """

    task: str
    attention: str = "softmax"
    normalised: bool = True
    layers: int = 2
    heads: int = 1
    width: int = 128
    mlp: bool = True
    layer_norm: bool = True
    positions: str = "add"
    rate: float = 1e-3
    vocabulary: int = 50
    labels: int = 4
    tokens: int = 10
    shifted: bool = True
    weight: float = 0.2
    replacement: bool = False
    scaled: bool = False
    samples: int = 100_000
    evaluated: int = 1000
    batch: int = 256
    epochs: int = 10

    def __post_init__(self) -> None:
        for name in (one.name for one in fields(self)):
            value = getattr(self, name)
            # JSON has booleans where Python takes them for 0 and 1.
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if name in NAMES and value not in NAMES[name]:
                raise SettingError(f"{name} is {value!r}: give one of {', '.join(NAMES[name])}")
            if name in COUNTS and not (is_number and isinstance(value, int) and value >= 1):
                raise SettingError(f"{name} is {value!r}: give a positive integer")
            if name in NUMBERS and not (is_number and 0 <= value < float("inf")):
                raise SettingError(f"{name} is {value!r}: give a number that is not negative")
            if name in FLAGS and not isinstance(value, bool):
                raise SettingError(f"{name} is {value!r}: give true or false")
        if self.width % self.heads:
            raise SettingError(f"{self.heads} heads do not divide the width {self.width}")
        if self.positions == "concat" and self.width % 2:
            raise SettingError(f"half of the width {self.width} is for positions: give an even one")
        if not self.normalised and self.attention in ALWAYS_NORMALISED:
            raise SettingError(f"{self.attention} attention is always normalised")
        if self.task == "classification" and (self.vocabulary - 1) % self.labels:
            raise SettingError(f"{self.labels} labels do not divide the vocabulary of {self.vocabulary - 1} tokens")
        few = "labels" if self.task == "classification" else "tokens"
        if getattr(self, few) < 2:
            raise SettingError(f"{few} is 1: {self.task} asks for at least two")
        most = self.group if self.task == "classification" else self.vocabulary - 1
        if not self.replacement and self.tokens > most:
            raise SettingError(f"{self.tokens} different tokens cannot be drawn from {most}")

    @property
    def group(self) -> int:
        """Tokens of one label."""
        return (self.vocabulary - 1) // self.labels

    @property
    def identities(self) -> int:
        """Ids that the model knows: with shifted queries, every token but BOS has a second one."""
        return 2 * self.vocabulary - 1 if self.task == "induction" and self.shifted else self.vocabulary

    @property
    def outputs(self) -> int:
        """Logits."""
        return self.labels if self.task == "classification" else self.identities

    @property
    def length(self) -> int:
        """Positions of an input: BOS, the tokens and the query, or the tokens and CLS."""
        return self.tokens + 2 if self.task == "induction" else self.tokens + 1

    @property
    def causal(self) -> bool:
        """Whether a token attends to earlier ones and itself only."""
        return self.task == "induction"

    @property
    def is_exact(self) -> bool:
        """Whether every sample of a label is the same set of tokens: then there are as many inputs as labels.

        Without positions and without a mask the label's logits do not depend on the order of the tokens.
        """
        fixed = not self.replacement and self.tokens == self.group and self.positions == "no"
        return self.task == "classification" and fixed

    @property
    def map_name(self) -> str:
        """The attention map in words."""
        return self.attention if self.normalised else f"{self.attention} without normalisation"

    def as_data(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Setting:
        """The setting that :meth:`as_data` wrote. Raises SettingError."""
        unknown = set(data) - {one.name for one in fields(cls)}
        if unknown:
            raise SettingError(f"a setting has no {', '.join(sorted(unknown))}")
        if "task" not in data:
            raise SettingError("a setting needs a task")
        return cls(**data)
