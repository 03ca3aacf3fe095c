"""Changed and forged links: a page opens them, or says in one sentence what is wrong."""

from random import Random
from urllib.parse import urlencode

import pytest

from support.messages import Forger
from support.mutations import NAMES, NUMBERS, change_text
from warplens.app.comparison import link as comparelink
from warplens.app.gallery import entries
from warplens.app.links import permalink
from warplens.app.links.words import graph_words
from warplens.app.pages import find_pages

#: Words that links have, with values that some page offers.
WORDS = {
    "graph": ["karate", "rmat:scale=8,edge_factor=4,seed=1", "grid:rows=8,columns=12", "path:n=9"],
    "permute": ["0", "7", "2147483648"],
    "record": [*entries()],
    "step": ["0", "17", "99999999999"],
    "algorithm": ["suitor", "louvain", "bipartite"],
    "variant": ["nosync", "fast"],
    "device": ["host", "cuda"],
    "policy": ["random", "round_robin"],
    "seed": ["1", "2147483647"],
    "mode": ["two", "schedules", "proposals"],
    "schedules": ["2", "6"],
    "first.method": ["suitor", "greedy"],
    "first.seed": ["3"],
    "second.variant": ["fast"],
    "how": ["step", "time"],
    "position": ["5"],
    "token": ["secret"],
}


class Opened:
    """A page that opens links, but loads and runs nothing."""

    def __init__(self, name):
        self.page = find_pages()[name].load()
        self.page.jobs.start = lambda *_, **__: None
        self.page.graphs._on_source = lambda source: None
        page = self.page
        self.widget = page.export.widget if hasattr(page, "runs") else page.link.widget
        self.forger = Forger(page)

    def settings(self):
        page = self.page
        if hasattr(page, "runs"):
            return permalink.settings_of(page.graphs, page.runs)
        if hasattr(page, "chooser"):
            return comparelink.settings_of(page.graphs, page.chooser)
        fields = page.pair.mode, page.pair.order, page.pair.seed
        return {**graph_words(page.graphs), "of": [field.value for field in fields]}

    def open(self, search):
        before = self.settings()
        self.widget.search = "-"
        self.forger.errors.clear()
        self.forger.gate._allowance.take(-1e9)
        errors = self.forger.set(self.widget, search=search)
        assert len(errors) <= 1
        if errors:
            assert "Something went wrong" not in errors[0]
            assert self.settings() == before
        else:
            assert self.settings()


def a_link(random: Random, own):
    names = random.sample(list(WORDS), random.choice((1, 1, 2, 3, 6)))
    words = {name: random.choice(WORDS[name]) for name in names}
    if random.random() < 0.7 and "of" not in own:  # a page's own link with other values
        words = own | {name: value for name, value in words.items() if name in own}
    words = [*words.items()]
    for _ in range(random.choice((0, 0, 1, 2))):
        name, value = random.choice(words)
        evil = str(random.choice((*NAMES, *NUMBERS, "rmat:" + "scale=9," * 300, "=" * 50)))
        words.append(random.choice([(name, evil), (evil, value), (name, value)]))
    text = urlencode(words, safe=":,=", errors="replace")
    if random.random() < 0.3:
        text = change_text(random, text.encode()).decode("utf-8", "replace")[:9000]
    return random.choice(("?", "?", "", "??")) + text


@pytest.fixture(scope="module")
def pages():
    """Return every page of the site that runs something."""
    return [Opened(name) for name, page in find_pages().items() if hasattr(page.load(), "jobs")]


def test_links_are_opened_or_refused(fuzz, pages):
    def make(random: Random):
        page = random.choice(pages)
        return page, a_link(random, page.settings())

    assert fuzz.run(make, lambda case: case[0].open(case[1]), most_bytes=64 << 20)


def test_a_pages_own_link_opens_it(pages):
    for opened in pages:
        settings = opened.settings()
        if "of" not in settings:
            opened.open("?" + urlencode(settings, safe=":,="))
            assert opened.forger.errors == []
