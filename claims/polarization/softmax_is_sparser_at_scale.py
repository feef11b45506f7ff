"""The paper observes that large language models are sparser with softmax than with sigmoid attention: not checked.

In the toy model elementwise sigmoid does not polarize at all.
"""

from claims.stating.statement import Claim, Origin, Standing
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.1, pretrained LLMs, figure 7",
    refs=("C-4.1e",),
    statement="softmax leads to significantly sparser attention outputs and a higher likelihood of sink formation.",
    origin=Origin.PRINTED,
    system=RowAttentionFlow,
    standing=Standing.NOT_YET,
    note="It needs the attention maps of two trained 7B models, which are not part of this project.",
)
