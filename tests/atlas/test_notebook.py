"""Claims, verdicts, instances and trajectories show themselves in a notebook; the notebook of the documentation runs."""

from __future__ import annotations

import ast
import json
from pathlib import Path

from claims.atlas.notebook import show
from claims.stating.catalogue import catalogue
from tests.atlas.conftest import hostile
from tests.atlas.links import Page

NOTEBOOK = Path(__file__).parents[2] / "docs" / "examples" / "from_claim_to_picture.ipynb"


def results():
    """What the cells of the notebook show, run in one namespace as a notebook runs them: the value of a last expression."""
    space, found = {"__name__": "__main__"}, []
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "outputs are not kept"
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, NOTEBOOK.name, "exec"), space)  # noqa: S102 -- our own documentation
        if last is not None:
            found.append(eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), space))  # noqa: S307
    return found


def test_the_notebook_steps_from_a_claim_to_a_picture(capsys):
    claim, instance, verdict, own, published, trajectory, _ = results()
    assert "<table>" in claim._repr_html_()
    assert claim.statement.split(":")[0] in "".join(Page(claim._repr_html_()).text)
    assert "1/3" in instance._repr_html_()
    assert verdict.outcome in verdict._repr_html_()
    assert "certified" in verdict._repr_html_()
    assert "certified up to" in trajectory._repr_html_()
    for pictures in (own, published):
        bundle = pictures._repr_mimebundle_()
        assert set(bundle) == {"text/html", "text/plain"}
        assert bundle["text/html"].count("<iframe") == len(pictures.pictures) >= 1
    assert "the instance that was given" in own._repr_mimebundle_()["text/html"]
    assert "certificate clusters/" in published._repr_mimebundle_()["text/html"]
    assert capsys.readouterr().out.startswith("time,x[0][0].lower")


def test_a_claim_is_shown_by_its_id_and_by_itself():
    name = "localmax.every_token_converges"
    assert str(show(name)) == str(show(catalogue()[name]))
    assert "2-cycle" in str(show(name))


def test_hostile_words_are_text_in_a_notebook():
    page = Page(hostile()._repr_html_())
    assert {one.tag for one in page.elements} == {"table", "caption", "tbody", "tr", "th", "td"}
    assert "<script>" in "".join(page.text)
