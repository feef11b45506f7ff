"""Which pictures a claim's page shows, drawn in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from typing import Any

from claims.atlas.evidence import Certificate, Evidence
from claims.atlas.kept import DRAWING, Kept, Told, digest_of, key_of, silent
from claims.atlas.pictures import Subject, pictures_of
from claims.atlas.pictures.scenes import Picture, Scene, Source
from claims.atlas.pictures.trained import trained_pictures
from claims.atlas.relations import source_of
from claims.atlas.svg import figure
from claims.certificates.current import statement_digest
from claims.stating.statement import Claim, Form
from claims.stating.verdict import Known
from claims.targets.target import Target, TargetError
from claims.targets.user_claims import claim_in
from claims.verifying.processes import workers


@dataclass(frozen=True)
class Drawn:
    """A picture as it stands on a page; `dropped` are the assumptions without which it was found."""

    title: str
    svg: str
    alt: str
    note: str
    captions: Sequence[str]
    keys: Sequence[tuple[str, int]]
    source: Source
    is_spatial: bool
    conclusion: str
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """A subject as plain data, which travels between processes."""

    claim: str
    conclusion: str
    instance: Mapping[str, Any]
    source: Source
    is_violated: bool
    dropped: tuple[str, ...] = ()
    times: tuple[Any, ...] = ()
    entry: tuple[int, ...] | None = None
    facts: tuple[dict[str, Any], ...] = ()


def wanted(claim: Claim, evidence: Evidence) -> Iterator[Wanted]:
    """What is worth a picture: certificates, and for other conclusions the tightest instance that was decided."""
    shown: set[str] = set()
    for certificate in evidence.certificates:
        if not certificate.dropped:
            # What is certified is drawn once: another violation of the same conclusion would say nothing new.
            shown.add(certificate.data["conclusion"]["name"])
        yield instance_of_certificate(claim, certificate)
    for tally in (evidence.report or {}).get("conclusions", ()):
        found, violated = tally.get("counterexample") or tally.get("tightest"), bool(tally.get("counterexample"))
        # What float64 or chance says is no decided instance: a picture of it would show what may not be so.
        if found and tally["name"] not in shown and found.get("known") not in (None, Known.NUMERICAL, Known.STATISTICAL):
            shown.add(tally["name"])
            word = "the smallest violating" if violated else "the tightest"
            run = (evidence.report or {}).get("of", "this run of `claims verify`")
            source = Source(f"{word} instance of {run}, decided: {found['known']}")
            yield Wanted(claim.id, tally["name"], found["instance"], source, violated)
    for entry in evidence.entries:
        tightest = entry.get("tightest")
        if tightest and not entry.get("dropped") and entry["conclusion"] not in shown:
            shown.add(entry["conclusion"])
            text = f"the tightest of {entry['starts']} starts in the necessity map, decided: {tightest['known']}"
            yield Wanted(claim.id, entry["conclusion"], tightest["instance"], Source(text), False)


def instance_of_certificate(claim: Claim, certificate: Certificate) -> Wanted:
    """The instance of a certificate, with the time and the place of its violation."""
    data, violation = certificate.data, certificate.data["violation"]
    return Wanted(
        claim.id,
        data["conclusion"]["name"],
        data["instance"],
        Source(f"certificate {certificate.name}", certificate.name, data["digest"]),
        True,
        certificate.dropped,
        tuple(violation["times"]),
        tuple(violation["entry"]),
        tuple(data.get("facts", ())),
    )


def drawn_pictures(
    wishes: Sequence[Wanted], claims: Mapping[str, Claim], jobs: int, kept: Kept | None = None, told: Told = silent
) -> dict[str, list[Drawn]]:
    """The pictures by claim, in the order of the wishes: those `kept` by an earlier build, the others drawn now.

    What cannot be drawn has none. Raises RecordError.
    """
    # A claim of a file does not travel between processes: each reads its text once more.
    own = {name: (claim.source, claim.file or name) for name, claim in claims.items() if claim.source is not None}
    kept = kept or Kept()
    keys = [_key(wish, claims[wish.claim]) for wish in wishes]
    found: dict[int, list[Drawn]] = {}
    for place, key in enumerate(keys):
        if (data := kept.recall(key)) is not None:
            # JSON has made lists of what are tuples, and a dictionary of the source.
            found[place] = [
                Drawn(
                    **{
                        **one,
                        "source": Source(**one["source"]),
                        "keys": [(name, color) for name, color in one["keys"]],
                        "dropped": tuple(one["dropped"]),
                    }
                )
                for one in data
            ]
    to_draw = [place for place in range(len(wishes)) if place not in found]
    jobs = jobs if len(to_draw) > FEW else 1
    before = len(found)

    def collect(places: Sequence[int], jobs: int) -> None:
        units = [([(place, wishes[place]) for place in places[k : k + UNIT]], own) for k in range(0, len(places), UNIT)]
        # Kept one by one: a build that is stopped does not draw again what it has drawn.
        with workers(jobs) as pool:
            for _, pictures in pool.results(_draw, units):
                for place, drawings in pictures.items():
                    kept.keep(keys[place], [asdict(one) for one in drawings])
                found.update(pictures)
                told("drawing", len(found) - before, len(to_draw))

    try:
        collect(to_draw, jobs)
    except BrokenProcessPool:  # a process was killed: what is pure is done again, here
        collect([place for place in to_draw if place not in found], 1)
    by_claim: dict[str, list[Drawn]] = {name: [] for name in claims}
    for place, wish in enumerate(wishes):
        by_claim[wish.claim] += found[place]
    for name, claim in claims.items():
        # Of empirical claims, from the record of trained runs: not kept, since the record is no part of a key.
        by_claim[name] += [
            _shown(picture, Wanted(name, conclusion, {}, picture.source, False), f"runs-{k}")
            for k, (conclusion, picture) in enumerate(trained_pictures(claim))
        ]
    return by_claim


def _key(wish: Wanted, claim: Claim) -> str:
    """What a picture depends on: the wish, the texts that it may show, the formula, and the code that draws."""
    try:
        formula = statement_digest(Target(claim.id, wish.conclusion, (), (), claim.file, claim.source))
    except TargetError:
        formula = ""
    return key_of("pictures", DRAWING, asdict(wish), claim.id, source_of(claim), formula)


FEW = 24  # so many pictures are drawn sooner than processes start
UNIT = 8  # pictures that a process draws at once: small units keep every process busy to the end


def _draw(wishes: Sequence[tuple[int, Wanted]], own: Mapping[str, tuple[str, str]]) -> dict[int, list[Drawn]]:
    from claims.stating.catalogue import catalogue  # noqa: PLC0415 -- read in each process once

    read = {name: claim_in(*text) for name, text in own.items()}
    found = {}
    for place, wish in wishes:
        claim = read.get(wish.claim) or catalogue()[wish.claim]
        subject = subject_of(claim, wish)
        pictures = pictures_of(subject) if subject is not None else []
        mark = digest_of(asdict(wish))[:10]  # what is kept may stand beside what is drawn in another build
        found[place] = [_shown(picture, wish, f"{mark}-{k}") for k, picture in enumerate(pictures)]
    return found


def subject_of(claim: Claim, wish: Wanted) -> Subject | None:
    """The subject of a wish; None where the claim has no such conclusion any more, or the instance is of another system."""
    conclusion = next((one for one in claim.conclusions if one.name == wish.conclusion), None)
    if conclusion is None or conclusion.form is Form.EXPERIMENT:
        return None
    if wish.instance.get("system", claim.system.__name__) != claim.system.__name__:
        return None
    try:
        system = claim.system.instance(**{name: value for name, value in wish.instance.items() if name != "system"})
    except (ValueError, TypeError):
        return None
    # Without one of its hypotheses a statement need not hold: what is violated there refutes nothing.
    refutes = wish.is_violated and not wish.dropped
    return Subject(claim, conclusion, system, wish.source, wish.is_violated, wish.times, wish.entry, wish.facts, refutes)


def _shown(picture: Picture, wish: Wanted, mark: str) -> Drawn:
    return Drawn(
        picture.title,
        figure(picture, mark),
        picture.alt,
        picture.note,
        [scene.caption for scene in picture.frames],
        picture.frames[0].keys,
        picture.source,
        any(scene.is_spatial for scene in (*picture.frames, Scene(picture.ground))),
        wish.conclusion,
        wish.dropped,
    )
