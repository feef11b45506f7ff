"""Puts theorems to Coq's kernel, and asks on which axioms they rest. Where Coq is not installed nothing is answered."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from claims.formal.theorems import Theorem, head

LIBRARY = ("Numbers", "Arrays", "Definite", "Hulls", "Limits", "Enclosures", "Sizes")
"""The files of the library in the order in which they are compiled."""

AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec": "the reals of Coq's library",
    "ClassicalDedekindReals.sig_not_dec": "the reals of Coq's library",
    "FunctionalExtensionality.functional_extensionality_dep": "functions with equal values are equal",
    "Classical_Prop.classic": "the excluded middle",
}
"""The axioms that a theorem may rest on, each with what it says."""

# Theorems in one file: to load the library takes longer than to check one; where one fails, the rest is put again.
TOGETHER = 12

SECONDS = 300  # of the processor, for one file: a theorem takes seconds, and a computation that goes astray no end

NO_COQ = "Coq is not installed: with coqc, coq-interval and coq-paramcoq the theorems can be checked"


@dataclass(frozen=True)
class KernelAnswer:
    """What the kernel said of a theorem: the axioms it rests on, or why it is not accepted."""

    accepted: bool
    reason: str = ""
    axioms: tuple[str, ...] = ()


def has_coq() -> bool:
    """Whether coqc and the plugins are there."""
    if shutil.which("coqc") is None:
        return False
    found = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=False)  # noqa: S607
    user = Path(found.stdout.strip()) / "user-contrib"
    return all((user / name).is_dir() for name in ("Interval", "Param"))


def library(with_asking: bool = False) -> dict[str, str]:
    """The text of the library's files by name."""
    folder = files("claims") / "formal" / "rocq"
    names = (*LIBRARY, "Asking") if with_asking else LIBRARY  # a search asks it, and no theorem needs it
    return {name: (folder / f"{name}.v").read_text(encoding="utf-8") for name in names}


def compile_library(folder: Path, with_asking: bool = False) -> None:
    """Compile the library in a folder, as far as it is not there compiled. Raises RuntimeError where Coq refuses it."""
    folder.mkdir(parents=True, exist_ok=True)
    last = 0
    for name, text in library(with_asking).items():
        file, compiled = folder / f"{name}.v", folder / f"{name}.vo"
        is_same = file.exists() and file.read_text(encoding="utf-8") == text
        # A file is compiled again behind one that was: a run that was ended may have left it older.
        if not (is_same and compiled.exists() and compiled.stat().st_mtime_ns > last):
            file.write_text(text, encoding="utf-8")
            _, told, fine = run_coq(file, folder)
            if not fine:
                raise RuntimeError(f"Coq refuses {name}.v: {told[-400:]}")
        last = compiled.stat().st_mtime_ns


def check_theorems(theorems: Mapping[str, Theorem], library_folder: Path, folder: Path) -> dict[str, KernelAnswer]:
    """What the kernel says of each theorem. Several share a file, each in a module of its own."""
    compile_library(library_folder)
    folder.mkdir(parents=True, exist_ok=True)
    answers: dict[str, KernelAnswer] = {}
    for kind in ("", "Enclosures", "Sizes"):
        # These two load libraries of Coq's, for intervals and for rings: they are not loaded where they are not needed.
        names = [name for name, one in theorems.items() if kind == "".join({"Enclosures", "Sizes"} & {*one.uses})]
        for k in range(0, len(names), TOGETHER):
            batch = names[k : k + TOGETHER]
            answers |= _together(batch, theorems, library_folder, folder / f"Batch{kind}_{k}.v")
    return answers


def _together(
    names: Sequence[str], theorems: Mapping[str, Theorem], library_folder: Path, file: Path
) -> dict[str, KernelAnswer]:
    """The answers to some theorems in one file. What fails is taken out, and the rest is put again."""
    if not names:
        return {}
    lines, starts = head(*dict.fromkeys(file for name in names for file in theorems[name].uses)).split("\n"), []
    for k, name in enumerate(names):
        starts.append(len(lines) + 1)
        lines += f"Module T{k}.\n{theorems[name].body}\nEnd T{k}.".split("\n")
    # One question for the axioms of all: each walks through the whole library.
    whole = " ".join(f"(conj T{k}.{theorems[name].name}" for k, name in enumerate(names))
    lines += [f"Definition every_theorem := {whole} I{')' * len(names)}.", "Print Assumptions every_theorem.", ""]
    file.write_text("\n".join(lines), encoding="utf-8")
    printed, told, fine = run_coq(file, library_folder, SECONDS if len(names) > 1 else SECONDS // 4)
    if fine:
        axioms = axioms_in(printed)
        foreign = [one for one in axioms if one not in AXIOMS]
        if not foreign:
            return {name: KernelAnswer(True, axioms=axioms) for name in names}
        if len(names) == 1:
            return {names[0]: KernelAnswer(False, f"rests on {', '.join(foreign)}", axioms)}
    elif len(names) == 1:
        return {names[0]: KernelAnswer(False, _reason(told))}
    at = None if fine else re.search(r"line (\d+)", told)
    if at is None:  # on other axioms, or out of time: each alone
        return {name: one for each in names for name, one in _together([each], theorems, library_folder, file).items()}
    failed = max(k for k, start in enumerate(starts) if start <= int(at.group(1)))
    rest = [name for k, name in enumerate(names) if k != failed]
    return {names[failed]: KernelAnswer(False, _reason(told))} | _together(rest, theorems, library_folder, file)


def _reason(told: str) -> str:
    # Coq says only that the computed value is not the expected one, Some true.
    error = told.partition("Error:")[2].strip() or told.strip()
    if "Some true" in error:
        return "the kernel does not find that the hypotheses hold and the conclusion fails"
    return f"Coq says: {' '.join(error.split())[:160]}" if error else "the kernel takes too long"


def axioms_in(printed: str) -> tuple[str, ...]:
    """The names in what Print Assumptions printed."""
    _, found, listed = printed.rpartition("Axioms:")
    return tuple(re.findall(r"^([\w.']+)\s*:", listed, re.MULTILINE)) if found else ()


def run_coq(file: Path, library_folder: Path, seconds: int = SECONDS) -> tuple[str, str, bool]:
    """What coqc printed of a file, its errors, and whether it accepts it."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    run = subprocess.run(  # noqa: S603
        ["coqc", "-q", "-w", "none", "-R", str(library_folder.resolve()), "Formal", str(file.resolve())],  # noqa: S607
        cwd=file.parent,  # where its tactics leave their caches
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    return run.stdout, run.stderr, run.returncode == 0
