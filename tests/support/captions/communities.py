"""Sentences about moves and contractions."""

import numpy as np

from gpucore.record.replay import timeline_of
from gpucore.record.timeline import Player

from . import said

_kept = {}  # the record that was asked for last, and its player


def _of(now, a, b):
    return now.before["community"][a] == b


def moves_and_gains(now, a, b, c, x):
    """The move's own change of modularity, where its kernel says from which state it is decided."""
    value = now.record.events["value"][now.event]
    moved = _of(now, a, b) and now.after["community"][a] == c
    begun = _begin(now)
    right = begun is None or abs(_gain(now, begun, a, c) - value) < 1e-6
    return moved and right and value > 0 and said(value, x)


def _begin(now):
    """Return the event at which the state was that decides a move; None where moves see others."""
    decided_in = {"buckets": ("iteration",), "relaxed": ("stage", "sweep")}
    record = now.record
    names = decided_in.get(record.header["variant"])
    if names is None:
        return None
    step = record.events["iteration"]
    columns = [step if name == "iteration" else record.steps[name][step] for name in names]
    mine = np.all([column == column[now.event] for column in columns], axis=0)
    return int(np.flatnonzero(mine)[0])


def _player(record):
    if _kept.get("record") is not record:
        _kept.update(record=record, player=Player(timeline_of(record)))
    return _kept["player"]


def _gain(now, begun, a, c):
    """Return what modularity gains if a's members go to c, in the state after `begun` events."""
    community = _player(now.record).seek(begun)["community"]
    weights = now.graph.to_scipy().astype(float)
    weights.setdiag(2 * weights.diagonal())
    resolution = float(now.record.header["params"].get("resolution", 1.0))
    degree = np.asarray(weights.sum(axis=1)).ravel()
    mine = now.before["group"] == a
    home, there = (community == community[a]) & ~mine, (community == c) & ~mine
    pull = weights[mine].sum(axis=0)
    edges = float(pull[there].sum() - pull[home].sum())
    expected = degree[mine].sum() * (degree[there].sum() - degree[home].sum()) / degree.sum()
    return 2 * (edges - resolution * expected) / degree.sum()


def adds_an_edge(now, a, b, c, x):
    """An edge, or the loop that a contracted vertex has, leads from a into that community."""
    members = np.flatnonzero(now.before["group"] == a)
    near = {w for v in members.tolist() for w in now.weights(v)} | set(members.tolist())
    return any(now.before["community"][w] == b for w in near) and int(x) >= 1


def is_held_back(now, a, b, c, x):
    return _of(now, a, b) and now.after["community"][a] == b and float(x) > 0


def become_one(now, a, b, c, x):
    """That many vertices of the community, with edges of that weight, are one vertex after it."""
    members = np.flatnonzero(now.after["group"] == a).tolist()
    known = set(members)
    inside = sum(w for v in members for u, w in now.weights(v).items() if u in known and u > v)
    alike = all(now.before["community"][v] == b for v in members)
    return alike and len(members) == int(c) and said(inside, x)


def goes_back(now, a, c):
    """The sweep's moves are undone since with them the modularity was lower than before them."""
    record, at = now.record, now.event
    if now.after["community"][a] != c:
        return False
    q = record.events.get("modularity")
    if q is None:
        return True
    kind, step = record.events["kind"], record.events["iteration"]
    stage, sweep = record.steps["stage"][step], record.steps["sweep"][step]
    mine = (stage == stage[at]) & (sweep == sweep[at])
    moves, backs = np.flatnonzero(mine & (kind == 1)), np.flatnonzero(mine & (kind == 5))
    start = q[moves[0] - 1] if moves[0] else record.header["modularity"]
    return q[backs[0] - 1] < start + 1e-12


def joins_a_part(now, a, b, c, x):
    joined = now.after["group"][np.flatnonzero(now.before["group"] == a)]
    return _of(now, a, b) and _of(now, c, b) and (joined == c).all() and float(x) > 0


def is_cut_off(now, a, b):
    """No path inside the community leads from the vertices that leave to those that stay."""
    community = now.before["community"]
    leaving = np.flatnonzero(community != now.after["community"]).tolist()
    staying = set(np.flatnonzero((community == b) & (now.after["community"] == b)).tolist())
    near = {w for v in leaving for w in now.weights(v)}
    return a in leaving and all(community[v] == b for v in leaving) and not near & staying


def is_open_again(now, a, b, c):
    members = np.flatnonzero(now.before["group"] == a)
    single = now.after["group"][members]
    return len(members) == int(c) and (single == members).all() and _of(now, a, b)


RULES = {
    "{a} moves from the community of {b} to that of {c}: modularity gains {x:n}": moves_and_gains,
    "{a} adds an edge into the community of {b} in slot {c:n}, found at probe {x:n}": adds_an_edge,
    "{a} would gain {x:n} in the community of {c}, but the rule against swaps holds it in that of "
    "{b}": is_held_back,
    "{a}: {c:n} vertices of the community of {b}, with edges of weight {x:n} inside, become one "
    "vertex": become_one,
    "{a} goes back to the community of {c}: moves made at the same time lost modularity": goes_back,
    "{a}, in the community of {b}, joins the part of {c} inside it, which gains "
    "{x:n}": joins_a_part,
    "{a} leaves the community of {b} for a new one: no path inside the community leads from its "
    "part to the rest": is_cut_off,
    "{a}: its {c:n} vertices are single again and may leave the community of {b} one by "
    "one": is_open_again,
}
