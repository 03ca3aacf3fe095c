"""Sentences about red/blue matching."""

from . import said

BLUE, RED, MATCHED, DEAD = range(4)


def is_blue(now, a):
    return now.after["colour"][a] == BLUE and now.before["colour"][a] < MATCHED


def is_red(now, a):
    return now.after["colour"][a] == RED and now.before["colour"][a] < MATCHED


def proposes(now, a, b, x):
    colour = now.before["colour"]
    weight = now.weights(a)[b]
    return colour[a] == BLUE and colour[b] == RED and said(weight, x)


def chooses(now, a, b, x):
    colour, proposal = now.before["colour"], now.before["proposal"]
    return colour[a] == RED and proposal[b] == a and said(now.weights(a)[b], x)


def chose_each_other(now, a, b, x):
    proposal, mate = now.before["proposal"], now.after["mate"]
    chosen = proposal[a] == b and proposal[b] == a
    return chosen and mate[a] == b and mate[b] == a and said(now.weights(a)[b], x)


def no_live_neighbour(now, a):
    colour = now.before["colour"]
    return all(colour[w] >= MATCHED for w in now.weights(a)) and now.record.final["mate"][a] < 0


def takes_a_free_one(now, a, b, x):
    mate = now.before["mate"]
    return mate[a] < 0 and mate[b] < 0 and said(now.weights(a)[b], x)


RULES = {
    "{a} is coloured blue: it may propose": is_blue,
    "{a} is coloured red: it may be proposed to": is_red,
    "{a}, which is blue, proposes to {b} over an edge of weight {x:n}": proposes,
    "{a}, which is red, chooses the proposal of {b}, of weight {x:n}": chooses,
    "{a} is matched with {b} ({x:n}): they chose each other": chose_each_other,
    "{a} has no live neighbour left and is dead: it stays alone": no_live_neighbour,
    "{a} takes {b}, which is still free: they are matched with {x:n}": takes_a_free_one,
}
