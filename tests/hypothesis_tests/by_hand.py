"""The mathematician's test of the documentation, imported from where it stands."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_spec = spec_from_file_location("test_by_hand", Path(__file__).parents[2] / "docs" / "examples" / "test_by_hand.py")
assert _spec is not None
assert _spec.loader is not None
_module = module_from_spec(_spec)
_spec.loader.exec_module(_module)
test_tokens_stay_in_their_box = _module.test_tokens_stay_in_their_box
