"""Preferences from files and back; contradictory files are refused with name and cause."""

import gzip
import json
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from gpucore.errors import Cancelled, GraphError
from gpucore.io.files import save
from gpucore.limits import Limits
from gpucore.loading import load, load_bytes
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.preferences.prepare import for_marriage
from gpucore.problems.preferences.save import preferences_text, save_preferences
from gpucore.problems.rebuild import rebuild
from support.graph_strategies import relaxed

EDEN = {"men": {"Adam": ["Eve", "Lilith"]}, "women": {"Eve": ["Adam"], "Lilith": []}}
WARDS = "side,name,capacity,choices\nresident,Ann,,City\nresident,Bo,,City\nhospital,City,2,Bo,Ann"


def read(content, name="mine.json", **how):
    if not isinstance(content, str | bytes):
        content = json.dumps(content)
    data = content if isinstance(content, bytes) else content.encode()
    return load_bytes(name, data, kind="preferences", **how)


@st.composite
def instances(draw):
    """Draw preferences with one-sided entries, with or without names and capacities."""
    men, women = draw(st.integers(0, 6)), draw(st.integers(0, 6))

    def side(own, others):
        row = st.lists(st.integers(0, others - 1), unique=True) if others else st.just([])
        return draw(st.lists(row, min_size=own, max_size=own))

    def capacity(count):
        numbers = st.lists(st.integers(1, 3), min_size=count, max_size=count)
        return draw(st.none() | numbers) if count else None

    words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "N", "Z"]), min_size=1)
    people = men + women
    names = st.lists(words, min_size=people, max_size=people, unique=True)
    return Preferences.from_lists(
        side(men, women),
        side(women, men),
        man_capacity=capacity(men),
        woman_capacity=capacity(women),
        names=draw(st.none() | names),
    )


@relaxed
@given(preferences=instances())
@pytest.mark.parametrize("ending", [".json", ".csv", ".tsv"])
def test_texts_give_the_preferences_back(ending, preferences):
    found = read(preferences_text(preferences, ending), f"wishes{ending}")
    assert found == preferences
    assert found.names == (preferences.names or None)  # without people there are no names
    assert found.source["purged"] == 0


@pytest.mark.parametrize("ending", [".json", ".json.gz", ".csv", ".tsv.gz"])
def test_files_give_the_preferences_back(tmp_path, ending):
    preferences, path = load_preferences("nrmp_5"), tmp_path / f"wishes{ending}"
    save_preferences(preferences, path)
    for found in (load_preferences(path), load_preferences(str(path))):
        assert (found, found.names) == (preferences, preferences.names)
        assert found.name == ("nrmp_5" if "json" in ending else "wishes")
    assert load_bytes(path.name, path.read_bytes(), kind="preferences") == preferences


def test_a_page_s_graph_is_saved_and_the_shared_form_written_out():
    shared = load_preferences("hard:n=5,seed=2")
    text = preferences_text(shared)
    assert read(text) == shared.expanded()
    assert preferences_text(shared.graph()) == text
    with pytest.raises(GraphError, match="2000000 pairs"):
        preferences_text(load_preferences("hard:n=2000"))
    with pytest.raises(GraphError, match=r"written as \.json"):
        preferences_text(shared, ".xlsx")


def test_names_that_a_file_cannot_hold_are_refused(tmp_path):
    def pair(*names):
        return Preferences.from_lists([[0], []], [[0]], names=names)

    with pytest.raises(GraphError, match="two of the men are called 'Bo'"):
        preferences_text(pair("Bo", "Bo", "Eve"))
    with pytest.raises(GraphError, match=r"save as \.json"):
        preferences_text(pair("Bo ", "Al", "Eve"), ".csv")
    assert read(preferences_text(pair("Bo ", "", "Eve"))).names == ("Bo ", "", "Eve")
    with pytest.raises(GraphError, match="cannot be written"):
        save_preferences(pair("Bo", "Al", "Eve"), tmp_path / "no" / "x.json")


def test_one_sided_wishes_are_counted_and_sides_may_differ_in_size():
    eden = read(EDEN)
    assert eden.lists() == ([[0]], [[0], []])
    assert dict(eden.source) == {
        "kind": "file", "name": "mine.json", "format": "preferences_json", "purged": 1,
    }  # fmt: skip
    assert eden.names == ("Adam", "Eve", "Lilith")
    assert eden.name == "mine"
    assert read({**EDEN, "name": "Eden"}).name == "Eden"


def test_lists_of_numbers_begin_at_0_or_1():
    expected = Preferences.from_lists([[1, 0], [0]], [[0, 1], [0]])
    assert read({"men": [[1, 0], [0]], "women": [[0, 1], [0]]}) == expected
    assert read({"men": [[2, 1], [1]], "women": [[1, 2], [1]], "base": 1}) == expected
    named = {"men": {"0": ["1", "0"], "1": ["0"]}, "women": {"0": ["0", "1"], "1": ["0"]}}
    assert read(named) == expected
    assert read(named).names is None


@pytest.mark.parametrize(
    "capacities",
    [{"City": 2}, [2], {"hospitals": {"City": 2}}, {"hospitals": [2]}],
)
def test_hospitals_have_capacities(capacities):
    lists = {"residents": {"Ann": ["City"], "Bo": ["City"]}, "hospitals": {"City": ["Bo", "Ann"]}}
    wards = read({**lists, "capacities": capacities})
    assert wards.woman_capacity.tolist() == [2]
    assert wards.man_capacity is None
    assert read(WARDS, "wards.csv") == wards
    assert '"capacities": {"hospitals": {"City": 2}}' in preferences_text(wards)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_are_sniffed(separator):
    lines = ["# ours", "", "Man,Adam,Eve,Lilith,,", 'woman,Eve, "Adam"', "WOMAN,Lilith"]
    text = "\r\n".join(line.replace(",", separator) for line in lines[:3])
    text += f"\r\nwoman{separator}Eve{separator}Adam\r\nWOMAN{separator}Lilith"
    for name in ("eden.csv", "eden.txt", "eden.tsv"):
        assert read(text, name) == read(EDEN)
    assert read("\ufeff" + text, "eden.csv") == read(EDEN)


def test_quoted_cells_may_hold_the_separator():
    found = read('man,"Adam, the first",Eve\nwoman,Eve,"Adam, the first"\n', "eden.csv")
    assert found.names == ("Adam, the first", "Eve")
    assert read(preferences_text(found, ".csv"), "eden.csv") == found


def test_ranks_come_as_archive_or_json(tmp_path):
    men, women = [[2, 1, 3], [1, 2, 3]], [[1, 2], [2, 1], [1, 2]]
    expected = Preferences.from_ranks(men, women)
    path = tmp_path / "ranks.npz"
    np.savez_compressed(path, men_ranks=men, women_ranks=np.array(women, np.float32))
    assert load_preferences(path) == expected
    assert load_preferences(path).source["format"] == "preference_ranks"
    assert read({"men_ranks": men, "women_ranks": women}) == expected
    tied = {"men_ranks": [[1, 1]], "women_ranks": [[1], [1]]}
    assert read({**tied, "ties": "index"}).lists()[0] == [[0, 1]]
    with pytest.raises(GraphError, match="gives women 0 and 1 the same rank"):
        read(tied)


@pytest.mark.parametrize(
    ("arrays", "complaint"),
    [
        ({"men_ranks": [[1]]}, "'women_ranks' is missing"),
        ({"men_ranks": [[1]], "women_ranks": [[1]], "x": [1]}, "'x.npy', which has no place"),
        ({"men_ranks": [[1, 2]], "women_ranks": [[1, 2]]}, "shape"),
        ({"men_ranks": [["a"]], "women_ranks": [["b"]]}, "real numbers"),
        ({"men_ranks": [[np.nan]], "women_ranks": [[1]]}, "finite"),
    ],
)
def test_archives_that_hold_no_ranks(tmp_path, arrays, complaint):
    path = tmp_path / "ranks.npz"
    np.savez(path, **arrays)
    with pytest.raises(GraphError, match=complaint) as refused:
        load_preferences(path)
    assert str(refused.value).startswith(str(path))


def test_graphs_and_matrices_become_preferences(tmp_path):
    karate, women = load("karate"), load_bipartite("southern_women")
    assert load_preferences("karate", seed=3).graph() == for_marriage(karate, seed=3)
    assert load_preferences("southern_women").graph() == for_marriage(women)
    for graph, expected in ((karate, karate), (women, women)):
        for ending in (".npz", ".mtx"):
            path = tmp_path / f"{graph.name}{ending}"
            save(graph, path)
            assert load_preferences(path).graph() == for_marriage(expected)
    sparse.save_npz(tmp_path / "wide.npz", sparse.coo_array([[1, 0, 2], [0, 0, 3]]))
    assert load_preferences(tmp_path / "wide.npz").num_women == 3
    edges = read(b"1 2 5\n2 3 6\n", "edges.txt", base=1)
    assert edges.lists()[0] == [[1], [2, 0], [1]]


@pytest.mark.parametrize(
    "spec", ["gale_shapley_3", "nrmp_5", "easy:n=50,seed=4", "hard:n=9", "karate", "southern_women"]
)
def test_what_has_a_name_is_made_again_from_its_source(spec):
    found = load_preferences(spec, seed=7)
    again = rebuild(found.source)
    assert again == found.graph()
    assert again.preferences == found.expanded()
    assert load_preferences(spec.partition(",")[0]).num_pairs > 0


def test_nothing_is_rebuilt_from_a_file_or_beyond_the_limits():
    with pytest.raises(GraphError, match="open the file itself"):
        rebuild(read(EDEN).source)
    spec = {"kind": "generator", "spec": "easy:n=1000,seed=1"}
    with pytest.raises(GraphError, match="allowed here"):
        rebuild(spec, limits=Limits(max_vertices=100))
    with pytest.raises(GraphError, match="has no parameter"):
        rebuild({**spec, "spec": "easy:/etc/passwd"})


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({}, "has nothing"),
        ([], r"an object of JSON, not \[\]"),
        ({"people": {}}, "the keys"),
        ({"men": {}}, "'women' is missing"),
        ({"men": {}, "women": {}, "colour": 1}, "'colour' means nothing"),
        ({"men": {"A": ["B"]}, "women": {}}, "choice 1 of 'A' .men. is 'B', who is not among"),
        ({"men": {"A": ["B", "B"]}, "women": {"B": []}}, "lists 'B' twice, at places 1 and 2"),
        ({"men": [[0, 1, 1]], "women": [[0], []]}, r"0 \(men\) lists 1 twice, at places 2 and 3"),
        ({"men": [[2]], "women": [[], []]}, "there are 2, numbered from 0"),
        ({"men": [[0]], "women": [[1]], "base": 1}, "there are 1, numbered from 1"),
        ({"men": [[0]], "women": {}}, "one side has names"),
        ({"men": [[True]], "women": [[0]]}, "whole numbers, not True"),
        ({"men": [[0.5]], "women": [[0]]}, "whole numbers, not 0.5"),
        ({"men": [[-1]], "women": [[0]]}, "whole numbers, not -1"),
        ({"men": 5, "women": []}, "'men' must be an object"),
        ({"men": {"A": "B"}, "women": {}}, "must be a list, not 'B'"),
        ({"men": {"A": [["B"]]}, "women": {}}, "must hold names"),
        ({"men": {}, "women": {}, "capacities": 3}, "says whose they are"),
        ({"men": {"A": []}, "women": {}, "capacities": {"men": {"B": 1}}}, "given to 'B'"),
        ({"men": {"A": []}, "women": {}, "capacities": {"men": {"A": 0}}}, "at least 1, not 0"),
        ({"men": {"A": []}, "women": {}, "capacities": {"men": [1, 2]}}, "list of 1 numbers"),
        ({"men": [], "women": [], "base": 2}, "0 or 1, not 2"),
        ({"men": {}, "women": {}, "base": 1}, "has names"),
        ({"men": {}, "women": {}, "name": 3}, "must be a text"),
        ({"men_ranks": [[1, 2], [1]], "women_ranks": []}, "row 1 has 1 ranks"),
        ({"men_ranks": [["a"]], "women_ranks": [[1]]}, "is 'a', no number"),
        ({"men_ranks": 1, "women_ranks": [[1]]}, "list of lists"),
        ({"men_ranks": [[1]], "women_ranks": [[1]], "ties": "first"}, '"refuse" or "index"'),
        (b'{"men": {"A": [], "A": []}, "women": {}}', "'A' stands twice"),
        (b'{"men":\n [}', "line 2: this is not JSON"),
        (b'{"men": [[NaN]], "women": []}', "NaN is no number"),
        (b'{"men": [[' + b"9" * 5000 + b']], "women": []}', "far too long"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\n\xff", "line 2: byte 1 is not UTF-8"),
        (b"", "this is not JSON"),
    ],
)
def test_json_that_contradicts_itself(content, complaint):
    with pytest.raises(GraphError, match=complaint) as refused:
        read(content)
    assert str(refused.value).startswith("mine.json")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("man,A,B\n", "'B', who is not among the women"),
        ("man,A,B\nman,A\n", "line 2: 'A' has a line already"),
        ("man,A\nhospital,B\n", "line 2: hospital does not go with"),
        ("man,A\ndog,B\n", "line 2: 'dog' is no side"),
        ("man,\n", "line 1: the man needs a name"),
        ("man,A,,B\n", "choice 1 of 'A' is empty"),
        ('man,A\nman,"B\n', "line 2: unexpected end of data"),
        ("side,name,age\nman,A,7\n", "line 1: the header is side, name, capacity"),
        ("side,name,capacity\nman,A,none\n", "line 2: the capacity of 'A'"),
        ("man,A,B,B\nwoman,B,A\n", "lists 'B' twice"),
    ],
)
def test_tables_that_contradict_themselves(text, complaint):
    with pytest.raises(GraphError, match=complaint) as refused:
        read(text, "mine.csv")
    assert str(refused.value).startswith("mine.csv")


def test_what_is_too_large_is_refused_before_it_is_made():
    small = Limits(max_vertices=2)
    with pytest.raises(GraphError, match="3 vertices are more than the 2"):
        read(EDEN, limits=small)
    with pytest.raises(GraphError, match="2 entries are more than the 1"):
        read(EDEN, limits=Limits(max_entries=1))
    many = '{"men": [' + "[]," * 50_000 + '[]], "women": []}'
    with pytest.raises(GraphError, match="MiB of memory"):
        read(many, limits=Limits(max_bytes=1 << 20))
    with pytest.raises(GraphError, match="a quarter of the memory"):
        read(many, limits=Limits(max_bytes=1 << 18))
    with pytest.raises(GraphError, match="zip bomb"):
        read(gzip.compress(bytes(40 << 20)), "mine.json.gz", limits=Limits(max_bytes=1 << 40))
    table = "man,A\n" + "," * 100_000
    with pytest.raises(GraphError, match="MiB of memory"):
        read(table, "mine.csv", limits=Limits(max_bytes=1 << 20))
    for spec in ("easy:n=1000", "karate", "nrmp_5"):
        with pytest.raises(GraphError, match="allowed here"):
            load_preferences(spec, limits=small)


def test_names_that_mean_nothing_and_options_of_other_formats():
    with pytest.raises(GraphError, match=r"no preferences 'atlantis'.*gale_shapley_3.*easy"):
        load_preferences("atlantis")
    with pytest.raises(GraphError, match="no option 'base'"):
        read(EDEN, base=1)
    with pytest.raises(GraphError, match="there is no file"):
        load_preferences("no/such/wishes.json")
    for reader in (load, load_bipartite):
        for spec in ("nrmp_5", "easy:n=9"):
            with pytest.raises(GraphError, match="is an instance of stable marriage"):
                reader(spec)
    with pytest.raises(GraphError, match="no line begins with a side"):
        read("1,2\n", "mine.csv", form="preferences_csv")


def test_loading_reports_progress_and_can_be_cancelled():
    phases = []
    read(EDEN, progress=lambda phase, done, total: phases.append(phase))
    assert phases[0] == "reading"
    assert phases[-1] == "building"
    stop = threading.Event()
    stop.set()
    for call in (
        lambda: read(EDEN, cancel=stop),
        lambda: load_preferences("nrmp_5", cancel=stop),
    ):
        with pytest.raises(Cancelled):
            call()


ORDERS = [
    "side,name,capacity,choice1,choice2\nman,A,1,x,y\nwoman,x,2,A,\nwoman,y,,A,\n",
    ",side,name,capacity,choice1,choice2\n0,man,A,1,x,y\n1,woman,x,2,A,\n2,woman,y,,A,\n",
    "Name;Quota;Side;Choices\nA;1;man;x;y\nx;2;woman;A\ny;;woman;A\n",
    "name\tchoice 2\tchoice 1\tsex\tseats\nA\ty\tx\tman\t1\nx\t\tA\twoman\t2\ny\t\tA\twoman\t\n",
    '\ufeff"id","side","capacity","name","choices"\n1,"man",1,"A","x","y"\n2,"woman",2,"x","A"\n'
    '3,"woman",,"y","A"\n',
]


@pytest.mark.parametrize("text", ORDERS)
def test_columns_of_a_table_have_any_order(text):
    found = load_bytes("p.csv", text.encode(), kind="preferences")
    assert found == load_bytes("p.csv", ORDERS[0].encode(), kind="preferences")
    assert found.lists() == ([[0, 1]], [[0], [0]])


def test_columns_of_a_table_that_the_caller_names():
    text = b"who,what,first,second\nA,man,x,y\nx,woman,A\ny,woman,A\n"
    with pytest.raises(GraphError):
        load_bytes("p.csv", text, kind="preferences")
    found = load_bytes("p.csv", text, kind="preferences", columns="name=who,side=2")
    assert found.lists() == ([[0, 1]], [[0], [0]])
    with pytest.raises(GraphError, match="there is no one column 'sort' for the side"):
        load_bytes("p.csv", text, kind="preferences", columns="name=who,side=sort")
