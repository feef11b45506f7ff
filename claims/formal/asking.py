"""A running Coq that is asked which comparison of a statement the facts leave open."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from claims.formal.theorems import head

# Beyond its bound on depth Coq prints dots in place of a term.
HEAD = f"""From Coq Require Import String.
{head("Sizes", "Asking")}Set Printing Depth 1000000. Set Printing Width 1000000.
"""

WORDS = ("true", "false", "sign", "exponent", "stuck")
END = "the end of an answer"

Answer = tuple[str, list[tuple[int, int, list[int]]]]
"""What Coq says of a branch, and the terms of the polynomial that it asks for."""


class CoqError(RuntimeError):
    """Coq refuses what it was told."""


class Session:
    """One process, with the definitions of one statement."""

    def __init__(self, library_folder: Path, text: str, symbols: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            ["coqtop", "-q", "-w", "none", "-R", str(library_folder.resolve()), "Formal"],  # noqa: S607
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        asked = f"The_statement (asking facts exps) (System (asking facts exps) {symbols})"
        self._definitions = (
            f"{HEAD}\n{text}\nImport RingMicromega Sizes Asking.\n"
            "Definition The_question (exps : exponentials) (facts : list fact) : nat * list (Z * Z * list nat) :=\n"
            f"  answer ({asked}).\n"
        )

    def __enter__(self) -> Self:
        """Raises CoqError where Coq refuses the definitions."""
        try:
            self._tell(self._definitions)
        except CoqError:
            self.__exit__()  # which nobody else calls where the beginning fails
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def _tell(self, text: str) -> str:
        """What Coq prints. Raises CoqError."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        # Nothing else tells where an answer ends: a text that Coq is to repeat, which it does after an error, too.
        self.process.stdin.write(f'{text}\nEval compute in "{END}"%string.\n')
        self.process.stdin.flush()
        printed = ""
        for line in self.process.stdout:
            printed += line
            if END in line:
                break
        if "Error" in printed or END not in printed:
            raise CoqError(f"Coq says: {printed[-600:]}")
        return printed

    def ask(self, branches: Sequence[str], exponents: str) -> list[Answer]:
        """What is open on each branch, whose facts are text of Coq, newest first. Raises CoqError."""
        printed = self._tell(f"Eval vm_compute in map (The_question {exponents}) [{'; '.join(branches)}].")
        found = re.search(r"=\s*(\[.*?\])\s*:\s*list", printed, re.DOTALL)
        if found is None:
            raise CoqError(f"no list: {printed[-600:]}")
        text = re.sub(r"%\w+", "", found.group(1)).replace(";", ",")
        return [(WORDS[word], [(c[0], c[1], c[2]) for c in terms]) for word, terms in ast.literal_eval(text)]
