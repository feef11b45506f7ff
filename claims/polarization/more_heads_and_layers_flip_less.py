"""With more heads or layers one swapped token flips the label less often.

Section 4.2, figure 21 (polarization C-4.2): heads concentrate on different tokens. Softmax attention at the middle learning
rate, with and without perceptron and layer normalisation.
"""

from dataclasses import replace

from claims.experiments import Comparison
from claims.polarization.setting.transformers import KINDS, flip_rate, sample
from claims.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.2, figure 21",
    refs=("C-4.2", "X6"),
    statement=(
        "the effect gradually vanishes as more than 1 head and layer are added to the model, as different heads, "
        "although sparse, concentrate attention on distinct tokens. [Figure 21:] Increasing the number of heads or layers "
        "leads to the diminishing flip rate."
    ),
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


def _fewer(**larger):
    told = ", ".join(f"{value} {name}" for name, value in larger.items())
    return [
        Comparison(f"{told}, {kind}", sample(replace(start, **larger), flip_rate), sample(start, flip_rate), rises=False)
        for kind, start in KINDS.items()
    ]


@claim.experiment()
def more_heads_flip_less(steps):
    """The proportion of swaps that flip the label: two and four heads against one, in one layer."""
    return _fewer(heads=2) + _fewer(heads=4)


@claim.experiment()
def more_layers_flip_less(steps):
    """The same for two layers against one, of one head each."""
    return _fewer(layers=2)


@claim.experiment()
def more_heads_and_layers_flip_less(steps):
    """The same for two layers of four heads against one layer of one."""
    return _fewer(heads=4, layers=2)
