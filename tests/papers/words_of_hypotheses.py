"""What the words of each hypothesis say of instances at the boundaries that they name: a table, by hand."""

from tests.papers.words_about_localmax import ABOUT_LOCALMAX
from tests.papers.words_about_tokens import ABOUT_TOKENS
from tests.papers.words_about_training import ABOUT_TRAINING
from tests.papers.words_and_instances import Row

WORDS: dict[str, list[Row]] = ABOUT_TOKENS | ABOUT_LOCALMAX | ABOUT_TRAINING
