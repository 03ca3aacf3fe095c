"""Exercises of the lab on SGD accept right answers and explain wrong ones."""

import numpy as np
import pytest

from gpucore.families.sgd.cost import Costs, offline_cost, online_cost
from gpucore.family import get_runner
from warplens.labs.kit.lines import Line, lines
from warplens.labs.sgd import costs, hogwild, model, racing, runs, schedules
from warplens.labs.sgd.pictures import matrix, timetable
from warplens.labs.sgd.runs import name_of, path, sample, star, watch

VARIANTS = get_runner("sgd").variant_names

FREE = """
SIMT_KERNEL(update)(int count, const int* users, const int* movies, unsigned* p, unsigned* q,
                    int* user_locks, int* movie_locks, int* clock, int* done)
{
    const int e = threadIdx.x;
    if (e >= count || done[e]) return;
    const int u = users[e], m = movies[e];
    const unsigned before = p[u];
    p[u] = before + q[m];
    q[m] = q[m] + before;
    done[e] = 1 + atomicAdd(clock, 1);
}
"""
BODY = FREE[FREE.index("    const unsigned") : FREE.rindex("}")]
LOCKED = FREE.replace(
    BODY,
    f"""
    if (atomicCAS(user_locks + u, 0, 1) != 0) return;
    if (atomicCAS(movie_locks + m, 0, 1) == 0) {{
{BODY}
        atomicExch(movie_locks + m, 0);
    }}
    atomicExch(user_locks + u, 0);
""",
)
ADDED = FREE.replace("p[u] = before + q[m]", "atomicAdd(p + u, q[m])").replace(
    "q[m] = q[m] + before", "atomicAdd(q + m, before)"
)


def named(made):
    """Return the steps in letters, deferred ones as capitals, and | between two parts."""
    found, before = [], 0
    for number, cells in made.steps():
        found += ["|"] * (number - before)
        before = number
        letters = [(name_of(rating, made.graph), done) for rating, done in cells]
        found.append("".join(name if done else name.upper() for name, done in letters))
    return found


@pytest.fixture(scope="module")
def el():
    return watch(sample(), "el")


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [
        (6, True, "Of the same movie: b, c, d, e; by the same user: f, k."),
        (4, False, "Those are the ratings of its movie"),
        (2, False, "Those are the ratings of its user"),
        (None, None, "None"),
    ],
)
def test_conflicts(guess, ok, why):
    verdict = runs.conflicts(guess)
    assert verdict.ok is ok
    assert why in verdict.why


def test_deferred_ratings_are_those_of_the_run(el):
    truth = "".join(name_of(rating, el.graph) for rating in el.deferred())
    assert runs.deferred(truth, el).ok
    pairs = {x: y for pair in ("ab", "cd", "gh", "ij", "kl") for x, y in (pair, pair[::-1])}
    others = "".join(pairs[name] for name in truth)
    for guess in ("bdhjl", others, others.upper(), ", ".join(truth)):
        assert runs.deferred(guess, el).ok, guess
    for guess in ("ab", "bdhj", "bdhjle", "abdhj", "efghij", ""):
        verdict = runs.deferred(guess, el)
        assert verdict.ok is False, guess
        assert "a and b, c and d, e and f" in verdict.why
    for guess in (None, 5, "xyz"):
        assert runs.deferred(guess, el).ok is None, guess


def test_steps_are_those_of_the_paper(el):
    assert [step.lower() for step in named(el)[:6]] == ["ab", "cd", "ef", "gh", "ij", "kl"]
    assert named(el)[6] == "|"
    nl = named(watch(sample(), "nl"))
    assert nl.count("|") == 2
    assert nl[-2:] == ["ik", "jl"]
    agm = watch(sample(), "agm_e")
    parts = "".join(named(agm)).split("|")
    users, movies = runs.ends(sample())
    for part in parts:
        chosen = ["abcdefghijkl".index(name) for name in part]
        assert len(set(users[chosen])) == len(set(movies[chosen])) == len(chosen)
    assert len(parts) >= 5
    assert runs.steps_of(len(agm.steps()), agm).ok
    assert f"Here are {len(parts)} parts" in runs.steps_of(1, agm).why


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_schedule_has_a_timetable(variant):
    made = watch(sample(), variant)
    drawn = timetable(made).html
    deferred = sum(not done for _, cells in made.steps() for _, done in cells)
    assert drawn.count("<rect") == 12 + deferred
    assert drawn.count("dasharray") == deferred


def test_matrices_and_their_limits():
    assert matrix(path(5)).html.count("<rect") == 10
    with pytest.raises(Exception, match="too many for this picture"):
        matrix(star(100))
    with pytest.raises(Exception, match="too many for this picture"):
        timetable(watch(star(64), "agm_e"))


def greedy(users, movies):
    """Return the first step without a conflict for each rating."""
    taken, steps = {}, []
    for u, m in zip(users, movies, strict=True):
        used = taken.setdefault(("u", u), set()) | taken.setdefault(("m", m), set())
        steps.append(next(s for s in range(10_000) if s not in used))
        taken["u", u].add(steps[-1])
        taken["m", m].add(steps[-1])
    return steps


@pytest.mark.parametrize(
    ("rule", "ok", "why"),
    [
        (lambda u, m: np.zeros(len(u), int), False, "a and f are both in step 0"),
        (lambda u, m: u - m + m.max(), True, "the sample graph 8 (at least 5)"),
        (lambda u, m: (u + m) % (1 + max(u.max(), m.max())), True, "graph 5 (at least 5)"),
        (lambda u, m: np.arange(len(u)), True, "a path 24 (at least 2)"),
        (greedy, True, "a star 20 (at least 20)"),
        (lambda u, m: u, False, "both are of user u0"),
        (lambda u, m: m, False, "a and b are both in step 0, and both are of movie m0"),
        (lambda u, m: u[:3], False, "an array of shape (3,)"),
        (lambda u, m: u - 1, False, "whole numbers from 0"),
        (lambda u, m: u / 2, False, "whole numbers from 0"),
        (lambda u, m: u.nothing, False, "AttributeError"),
    ],
)
def test_a_readers_schedule(rule, ok, why):
    verdict = schedules.check(rule, schedules=1)
    assert verdict.ok is ok, verdict.why
    assert why in verdict.why


def test_the_kernels_show_a_schedule_with_conflicts():
    """The proof does not rest on the check before: all ratings of a star in one step."""
    ratings = star(12)
    proofs = [schedules.certified(ratings, np.zeros(12, int), seed) for seed in range(10)]
    assert any(proof.failure and proof.failure.name == "serialisable" for proof in proofs)
    assert schedules.certified(ratings, np.arange(12), 0).ok


@pytest.fixture(scope="module")
def bills():
    given = {"lock": 0.5, "barrier": 5}
    return costs.bill(star(64), **given), costs.bill(path(32), **given)


def test_orders_on_a_star_and_on_a_path(bills):
    on_star, on_path = bills
    assert on_star.counted["nl"] == (64, 64, 1)
    assert on_star.counted["agm_e"] == on_star.counted["diag"] == (64, 0, 65)
    assert on_star.counted["el"].steps == 64
    for order in (["nl", "el", "agm_e", "diag"], ("nl", "el", "diag", "agm_e")):
        assert costs.order(order, on_star).ok
    verdict = costs.order(["agm_e", "el", "nl", "diag"], on_star)
    assert verdict.ok is False
    assert "agm_e costs 389, which is more than el" in verdict.why
    by_cost = sorted(costs.NAMES, key=on_path.cost)
    assert by_cost[-1] == "nl"
    # A path lies on two diagonals, without a user or an item twice in either.
    assert on_path.counted["diag"] == (8, 0, 3)
    assert costs.order(by_cost, on_path).ok
    assert costs.order(by_cost[::-1], on_path).ok is False
    for guess in (["el"], "el", 5, None):
        assert costs.order(guess, on_path).ok is None
    assert len(str(on_star).splitlines()) == 5


def test_locks_that_are_as_dear_as_barriers(bills):
    on_star, _ = bills
    assert costs.tip(5, on_star).ok
    assert costs.tip(0.5, on_star).ok is False
    assert costs.tip("5", on_star).ok is None
    assert costs.tip(None, on_star).ok is None
    dear = costs.bill(star(64), lock=6, barrier=5)
    assert dear.cost("agm_e") < dear.cost("nl")


def test_the_model_says_what_was_counted(bills):
    """Both costs of the paper are those of the recorded sweeps, but for the end of the launch."""
    on_star, _ = bills
    prices = Costs(update=1.0, lock=0.5, barrier=5.0)
    assert on_star.cost("agm_e") == offline_cost(64, prices) + 5
    for name in ("nl", "el"):
        fraction = 1 / on_star.counted[name].barriers
        assert on_star.cost(name) == pytest.approx(online_cost(64, prices, fraction))
    assert model.crossing().html.count("<circle") == 33


def test_two_cards_choose():
    made = model.predictions("mbeacxc", "un_votes")
    differ = [name for name, cards in made.chosen.items() if len(set(cards.values())) == 2]
    assert differ == ["un_votes"]
    assert model.other_choice("un_votes", made).ok
    verdict = model.other_choice("mbeacxc", made)
    assert verdict.ok is False
    assert "13 times as dear" in verdict.why
    assert "484 in mbeacxc, 6,177 in un_votes" in verdict.why
    assert model.other_choice(None, made).ok is None
    assert len(str(made).splitlines()) == 22


@pytest.mark.parametrize(
    ("source", "ok", "why"),
    [
        (LOCKED, True, "No update is lost"),
        (FREE, None, "an update was lost, or half of it. Nothing orders a global"),
        (ADDED, False, "ends with other numbers"),
        (LOCKED.replace("atomicExch(user_locks + u, 0);", ""), False, "is every lock given back"),
        (FREE.replace("1 + atomicAdd(clock, 1)", "1"), False, "every number from 1 on once"),
        (FREE.replace("done[e] = ", "int x = "), False, "did none of"),
        (FREE.replace("int u =", "int v ="), False, "does not compile"),
    ],
)
def test_the_kernel_without_locks(lab_compiler, source, ok, why):
    verdict = hogwild.kernel(source, schedules=2)
    assert verdict.ok is ok, verdict.why
    assert why in verdict.why


def test_the_race():
    raced = racing.race(["nl", "hogwild"])
    assert raced.excess("nl") < racing.ONE_PERCENT < raced.excess("hogwild")
    assert racing.behind(1, raced).ok
    assert "that alone costs nothing" in racing.behind(2, raced).why
    assert raced.picture().html.count("stroke-dasharray") == 2
    assert len(str(raced).splitlines()) == 3


def test_axes_that_do_not_begin_at_zero():
    given = {"label": "x", "ticks": [0, 1], "least": 0.5, "most": 0.6, "form": ".2f"}
    html = lines({"flat": Line([0, 1], [0.5, 0.6])}, **given).html
    assert ">0.50<" in html
    assert ">0.60<" in html
    assert "flat: 0.6 at 1" in html
