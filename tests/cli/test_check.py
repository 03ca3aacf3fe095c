"""``warplens run --output`` and ``warplens check``: results go home and are checked again."""

import json

import pytest

from gpucore.cli.console import BAD_INPUT, NOT_CERTIFIED, USAGE

#: A school: residents and hospitals by name.
SCHOOL = {
    "residents": {"r1": ["h1", "h2"], "r2": ["h1", "h2"]},
    "hospitals": {"h1": ["r1", "r2"], "h2": ["r1", "r2"]},
    "capacities": {"h1": 1, "h2": 1},
}


@pytest.fixture
def cli(call):
    """Run a command; returns its exit code, its output and its errors."""

    def run(*words):
        found = call(*words)
        return found.exit_code, found.stdout, found.stderr

    return run


def test_the_first_lines_are_printed(cli, tmp_path):
    (tmp_path / "school.json").write_text(json.dumps(SCHOOL))
    code, output, _ = cli("run", "gale_shapley", tmp_path / "school.json")
    assert code == 0
    words = [line.split() for line in output.splitlines()]
    assert ["resident", "hospital", "rank_by_resident", "rank_by_hospital"] in words
    assert ["r1", "h1", "1", "1"] in words
    assert output.startswith("gale_shapley on school: 2 residents, 2 hospitals, 4 pairs")
    assert "best for the residents" in output


@pytest.mark.parametrize("ending", [".csv", ".json", ".npz", ".mtx", ".tsv"])
def test_output_is_checked_again(cli, tmp_path, ending):
    path = tmp_path / f"solution{ending}"
    assert cli("run", "suitor_serial", "karate", "--output", path)[0] == 0
    code, output, _ = cli("check", "karate", path, "--family", "matching", "--json")
    found = json.loads(output)
    assert (code, found["ok"], found["measures"]["cardinality"]) == (0, True, 11)
    required = cli("check", "karate", path, "--family", "matching", "--require", "heaviest")
    assert required[0] == NOT_CERTIFIED
    assert "a heaviest matching has" in required[1]


def test_a_wrong_solution_is_not_certified(cli, tmp_path):
    (tmp_path / "wrong.csv").write_text("u,v\n0,1\n0,2\n")
    code, output, _ = cli("check", "karate", tmp_path / "wrong.csv", "--family", "matching")
    assert code == NOT_CERTIFIED
    assert "vertex 0 has 2 mates" in output


def test_pairs_of_a_b_matching_are_not_taken_for_a_matching(cli, tmp_path):
    path = tmp_path / "pairs.csv"
    assert cli("run", "bmatching", "karate", "-p", "b=2", "--output", path)[0] == 0
    code, output, error = cli("check", "karate", path)
    assert (code, output) == (USAGE, "")
    assert "--family matching or --family bmatching -p b=..." in error
    code, output, _ = cli("check", "karate", path, "-p", "b=2", "--require", "b-stable", "--json")
    found = json.loads(output)
    assert (code, found["family"], found["ok"]) == (0, "bmatching", True)


def test_pairs_of_a_matching_are_a_matching_without_more_words(cli, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("u,v\n0,1\n1,0\n2,3\n")  # a pair from both ends
    code, output, _ = cli("check", "karate", path, "--json")
    assert (code, json.loads(output)["family"]) == (0, "matching")


def test_json_of_another_program_that_names_b_is_a_b_matching(cli, tmp_path):
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps({"params": {"b": 2}, "pairs": [{"u": 0, "v": 1}, {"u": 0, "v": 2}]}))
    code, output, _ = cli("check", "karate", path, "--json")
    assert (code, json.loads(output)["family"]) == (0, "bmatching")


def test_a_random_order_keeps_the_numbers_of_the_file(cli, tmp_path):
    path = tmp_path / "rows.csv"
    arguments = ("run", "hopcroft_karp", "southern_women", "--permute", 3, "--output", path)
    assert cli(*arguments)[0] == 0
    assert cli("check", "southern_women", path, "--require", "maximum")[0] == 0


@pytest.mark.parametrize(
    ("name", "cause"),
    [("solution.xlsx", "end in .csv"), ("solution.mtx", "only matchings"), ("", "directory")],
)
def test_outputs_that_cannot_be_written(cli, tmp_path, name, cause):
    code, output, error = cli("run", "louvain_serial", "karate", "--output", tmp_path / name)
    assert code == USAGE
    assert cause in error
    assert not output


@pytest.mark.parametrize(
    ("content", "arguments", "code", "cause"),
    [
        ("0 1\n", (), USAGE, "say what it is by --family"),
        ("u,v\n0,99\n", (), BAD_INPUT, "no vertex '99'"),
        ("u,v\n0,1\n", ("--family", "bmatching"), USAGE, "give it by -p b="),
        ("u,v\n0,1\n", ("--require", "best"), USAGE, "there is no property 'best'"),
        ("u,v\n0,1\n", ("--family", "flows"), USAGE, "flows"),
    ],
)
def test_checks_that_cannot_be_made(cli, tmp_path, content, arguments, code, cause):
    path = tmp_path / "s.csv"
    path.write_text(content)
    found, output, error = cli("check", "karate", path, *arguments)
    assert (found, output) == (code, "")
    assert cause in error


@pytest.mark.parametrize("ending", [".json", ".npz"])
def test_a_file_of_results_says_how_the_problem_was_prepared(cli, tmp_path, ending):
    path = tmp_path / f"pairs{ending}"
    assert cli("run", "suitor_serial", "karate", "--weights-seed", 5, "--output", path)[0] == 0
    assert cli("check", "karate", path, "--require", "locally dominant by weight")[0] == 0
    code, output, _ = cli("check", "karate", path, "--weights-seed", 6)
    assert code == NOT_CERTIFIED
    assert "weight" in output


def test_negative_weights_are_read_as_in_the_run(cli, tmp_path):
    (tmp_path / "signed.txt").write_text("0 1 -3\n1 2 4\n2 3 -9\n")
    path = tmp_path / "pairs.json"
    for weights, total in (("absolute", 12), ("positive", 4)):
        words = ("run", "suitor_serial", tmp_path / "signed.txt", "--weights", weights)
        assert cli(*words, "--output", path)[0] == 0
        code, output, _ = cli("check", tmp_path / "signed.txt", path, "--json")
        found = json.loads(output)
        assert (code, found["measures"]["weight"]) == (0, total)
        assert bool(found["notes"])


@pytest.mark.parametrize("ending", [".csv", ".json"])
def test_a_list_is_read_by_the_same_columns_as_in_the_run(cli, tmp_path, ending):
    edges, path = tmp_path / "edges.csv", tmp_path / f"pairs{ending}"
    edges.write_text("a,b,x,y\n1,2,9,5\n2,3,9,7\n")
    columns = ("--columns", "source=1,target=2,weight=4")
    assert cli("run", "suitor_serial", edges, *columns, "--output", path)[0] == 0
    code, output, _ = cli("check", edges, path, "--json", *(columns if ending == ".csv" else ()))
    assert (code, json.loads(output)["measures"]["weight"]) == (0, 7)


def test_repeated_ratings_are_read_as_in_the_run(cli, tmp_path):
    ratings, path = tmp_path / "ratings.csv", tmp_path / "factors.json"
    ratings.write_text("1,1,5\n1,2,3\n2,1,4\n1,1,2\n")
    words = ("run", "sgd_serial", ratings, "--duplicates", "last", "--output", path)
    assert cli(*words)[0] == 0
    assert cli("check", ratings, path)[0] == 0
    table = path.with_suffix(".csv")
    assert cli(*words[:-1], table)[0] == 0
    assert "--duplicates" in cli("check", ratings, table)[2]
    assert cli("check", ratings, table, "--duplicates", "last")[0] == 0


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        ({"columns": 3}, "columns are 3"),
        ({"duplicates": "first"}, "duplicates are 'first'"),
        ({"weights_seed": "five"}, "weights_seed is 'five'"),
        ({"weights": "odd"}, "are 'odd'"),
    ],
)
def test_a_preparation_that_is_none_is_refused(cli, tmp_path, problem, words):
    path = tmp_path / "pairs.json"
    assert cli("run", "suitor_serial", "karate", "--output", path)[0] == 0
    path.write_text(json.dumps({**json.loads(path.read_text()), "problem": problem}))
    code, _, errors = cli("check", "karate", path)
    assert code == BAD_INPUT
    assert words in " ".join(errors.split())


@pytest.mark.parametrize(
    ("param", "words"),
    [
        ("resolution=abc", "resolution must be a number above 0"),
        ("b=2", "--family says that it is of bmatching or roommates"),
        ("colour=red", "no parameter 'colour'; leave it out"),
    ],
)
def test_parameters_of_a_solution(cli, tmp_path, param, words):
    path = tmp_path / "solution.csv"
    assert cli("run", "louvain_serial", "karate", "--output", path)[0] == 0
    code, _, errors = cli("check", "karate", path, "-p", param)
    assert code == USAGE
    assert words in errors


def test_a_capacity_that_is_no_number(cli, tmp_path):
    path = tmp_path / "solution.json"
    assert cli("run", "irving", "irving_6", "--output", path)[0] == 0
    code, _, errors = cli("check", "irving_6", path, "-p", "b=abc")
    assert (code, len(errors.splitlines())) == (USAGE, 1)
