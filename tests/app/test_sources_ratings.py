"""Sources of ratings: bundled ones, matrices and graphs, generators, files."""

import pytest

from gpucore.datasets import bundled
from gpucore.datasets.remote import find
from gpucore.errors import GraphError, ParameterError
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.rebuild import rebuild
from warplens.app.links.words import graph_of
from warplens.app.sources.graphs import uploaded
from warplens.app.sources.ratings import GENERATED, SOURCES, collection, facts_of_ratings

from .test_sources import read

LIST = b"user,film,stars\nAnn,Alien,5\nBo,Oz,3.5\nAnn,Oz,1\n"
WIDE = b"%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 4\n1 3 2.5\n2 3 1\n"


def upload(name, content, **limits):
    return read(uploaded(name, content, reader=SOURCES.read_bytes), **limits)


def test_a_link_to_ratings_that_are_not_bundled_says_how_to_fetch_them(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ParameterError, match=r"does not come with .*: warplens fetch insteval"):
        graph_of("insteval", SOURCES)
    path = find("insteval").path
    path.parent.mkdir(parents=True)
    path.touch()
    assert graph_of("insteval", SOURCES) == ("insteval", {})


def test_bundled_ratings_come_first(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    names = [name for _, name in collection()]
    assert names[0] == "sample_ratings"
    assert tuple(names[: len(bundled("ratings"))]) == bundled("ratings")
    assert "insteval" not in names
    assert read(SOURCES.source("sample_ratings", {})).shape == (6, 4)
    assert read(SOURCES.source("karate", {})).shape == (34, 34)


@pytest.mark.parametrize("name", GENERATED)
@pytest.mark.parametrize("end", ["low", "value", "high"])
def test_generators_take_what_their_sliders_give(name, end):
    values = {slider.name: getattr(slider, end) for slider in GENERATED[name].sliders}
    ratings = read(SOURCES.source(name, values))
    assert isinstance(ratings, Ratings)
    assert ratings.num_ratings > 0
    assert rebuild(ratings.source).fingerprint == ratings.fingerprint


def test_files_become_ratings():
    listed = upload("films.csv", LIST)
    assert listed.names == ("Ann", "Bo", "Alien", "Oz")
    assert listed.values.tolist() == [5, 1, 3.5]
    assert upload("wide.mtx", WIDE).shape == (2, 3)
    assert ".dat" in SOURCES.endings
    with pytest.raises(GraphError, match=r"finite|nan"):
        upload("bad.csv", LIST + b"Bo,Alien,nan\n")
    with pytest.raises(GraphError, match="more than"):
        upload("films.csv", LIST, edges=2)


def test_facts_say_what_the_ratings_are():
    karate = read(SOURCES.source("karate", {}))
    facts = facts_of_ratings(karate, karate)
    assert dict(facts.sizes) == {"users": "34", "items": "34", "ratings": "156"}
    assert any("made up" in remark for remark in facts.remarks)
    wide = upload("wide.mtx", WIDE)
    assert any("1 item" in remark for remark in facts_of_ratings(wide, wide).remarks)


def test_a_file_with_repeated_ratings_is_taken_and_says_which_count():
    text = b"user,item,rating\nann,Oz,1\nbob,Oz,2\nann,Oz,5\n"
    ratings = upload("mine.csv", text)
    assert sorted(ratings.values.tolist()) == [2, 5]
    assert "the last rating of each counts" in ratings.source["notes"][-1]
