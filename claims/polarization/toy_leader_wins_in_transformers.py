"""In a trained softmax classifier with one head the token whose value leads at the start gets all attention.

Theorems 3.2 and 3.3 of the value-softmax model, carried over to the classifiers of section 4.2. The paper does not assert
this: that scores are free is an assumption of its theory. It asks "whether the results proven for the value-softmax model
hold for more general Transformer setups". The value u_j of token j is read as -dL/ds_j for the
loss L of an input and the attention s of CLS: in the model it is gamma u_j. With perceptron and layer normalisation, and
without.
"""

from fractions import Fraction

from claims.experiments import Majority, Word
from claims.polarization.setting.transformers import KINDS, sample, theory
from claims.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="theorems 3.2 and 3.3, for the classifiers of section 4.2",
    refs=("C-4.2", "C-3.2a", "C-3.3a", "X6"),
    statement=(
        "The attention of CLS tends to one token, the one whose value leads at the start; the order of the values is kept, "
        "and attention is in their order."
    ),
    origin=Origin.CARRIED_OVER,
    system=RowAttentionFlow,
    standing=Standing.EMPIRICAL,
)


def _most_runs(read):
    return [Majority(name, sample(setting, read), Fraction(1), Word.NOT_CARRIED) for name, setting in KINDS.items()]


@claim.experiment()
def attention_is_one_hot(steps):
    """Whether in most runs, for every label, one token has more than 90 % of the attention."""
    return _most_runs(theory(lambda read: read["share"] > 0.9))


@claim.experiment()
def leader_at_the_start_wins(steps):
    """Whether in most runs, for every label, the token of the largest value at the start wins the attention at the end."""
    return _most_runs(theory(lambda read: read["winner"] == read["leader"]))


@claim.experiment()
def order_of_values_is_kept(steps):
    """Whether in most runs, for every label, the values stand in the same order at the end as at the start."""
    return _most_runs(theory(lambda read: read["order_of_values"] == 1))


@claim.experiment()
def attention_is_in_the_order_of_values(steps):
    """Whether in most runs, for every label, more pairs of tokens have attention in the order of values than against it."""
    return _most_runs(theory(lambda read: read["order_of_attention"] > 0))
