"""A sweep of "fast" in NumPy: the arithmetic of its kernel, written once more.

It takes from the schedule only which rating a worker of a tile has in a round, and where a user's
part begins. How many ratings of a round have an item, and how many parts a user has, is counted
here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Ratings of a round that may move an item by their sum; parts of a user likewise.
TOGETHER = np.float32(4)


def fma(a, b, c):
    """Return a b + c in single precision, rounded once.

    The product is exact in double precision. The sum is rounded to odd there, after which the
    second rounding cannot be wrong (Boldo and Melquiond, "Emulation of FMA and correctly rounded
    sums", IEEE Transactions on Computers 57, 2008).
    """
    product = np.asarray(a, np.float64) * np.asarray(b, np.float64)
    addend = np.asarray(c, np.float64)
    product, addend = np.broadcast_arrays(product, addend)
    total = product + addend
    rest = total - product
    lost = (product - (total - rest)) + (addend - rest)
    even = (np.ascontiguousarray(total).view(np.int64) & 1) == 0
    nearer = np.where(even & (lost != 0), np.nextafter(total, np.copysign(np.inf, lost)), total)
    return nearer.astype(np.float32)


def integers(values):
    """Return single numbers rounded to integers, halves to even."""
    return np.rint(values).astype(np.int64)


def wrapped(numbers):
    """Return integers as 32 bits hold them."""
    return np.asarray(numbers, np.int64).astype(np.uint32).view(np.int32).astype(np.int64)


@dataclass
class Fixed:
    """Fixed point: a number is an integer divided by `scale`."""

    scale: np.float32
    unit: np.float32

    def of(self, values):
        return integers(np.asarray(values, np.float32) * self.scale)

    def value(self, numbers):
        return wrapped(numbers).astype(np.float32) * self.unit


@dataclass
class Rule:
    """The rule of a sweep."""

    mean: np.float32
    rate: np.float32
    decay: np.float32
    positive: bool

    def moved(self, own, other, step):
        to = fma(step, other, fma(-self.decay, own, own))
        return np.where(to < 0, np.float32(0), to) if self.positive else to

    def moved_bias(self, own, step):
        return step + fma(-self.decay, own, own)


def share_of(count):
    """Return the part of their sum by which `count` changes count."""
    count = np.asarray(count, np.float32)
    return np.where(count <= TOGETHER, np.float32(1), TOGETHER / np.maximum(count, np.float32(1)))


class Replay:
    """A factorisation by the schedule of a plan.

    Parameters
    ----------
    plan : gpucore.families.sgd.fast.Plan
        Its schedule and its fixed point are used.
    train : Ratings
    first : Factors
    params : SgdParams
    """

    def __init__(self, plan, train, first, params):
        self.stripes, self.params = plan.stripes, params
        to_host = plan.work.device.to_host
        self.entries, self.starts = (
            to_host(a) for a in (plan.stripes.entries, plan.stripes.starts)
        )
        self.fixed = Fixed(*(np.float32(x) for x in plan.fixed))
        self.parts = 8 if params.half and params.padded >= 128 else 4
        self.stored = np.float16 if params.half else np.float32
        starts, self.user_of, self.value_of = train.by_item()
        self.item_of = np.repeat(np.arange(train.num_items), np.diff(starts))
        self.users = first.users.astype(self.stored).astype(np.float32)
        self.items = first.items.copy()
        self.mean = np.float32(first.mean)
        self.biased = first.user_bias is not None
        sizes = train.num_users, train.num_items
        given = (first.user_bias, first.item_bias) if self.biased else map(np.zeros, sizes)
        self.user_bias, self.item_bias = (np.array(b, np.float32) for b in given)

    def sweep(self, number):
        """Process every rating once."""
        rate = np.float32(self.params.rate_of(number))
        decay = np.float32(rate * np.float32(self.params.reg))
        rule = Rule(self.mean, rate, decay, self.params.positive)
        # All stripes of items are read before anything is written, since each is a block's alone.
        self.rows = self.fixed.of(self.items)
        self.bias_rows = self.fixed.of(self.item_bias)
        plan = self.stripes
        for group in range(plan.groups):
            for turn in range(plan.turns):
                first = group * plan.blocks
                tiles = [(first + b) * plan.turns + turn for b in range(plan.blocks)]
                self._turn(tiles, rule)
        ended = np.maximum(self.rows, 0) if rule.positive else self.rows
        self.items = self.fixed.value(ended)
        if self.biased:
            self.item_bias = self.fixed.value(self.bias_rows)

    def _turn(self, tiles, rule):
        """Process the tiles of a turn, which share nothing."""
        workers = self.stripes.workers
        place = (np.asarray(tiles)[:, None] * workers + np.arange(workers)).ravel()
        begin, count = self.starts[place], np.diff(self.starts)[place]
        held = np.full(len(place), -1)
        part = np.zeros(len(place), int)
        tile = np.repeat(np.arange(len(tiles)), workers)
        p = np.zeros((len(place), self.users.shape[1]), np.float32)
        bias = np.zeros(len(place), np.float32)
        ends = []  # (user, vector, bias) at the end of each part
        for turn in range(int(count.max(initial=0)) + 1):
            works = np.flatnonzero(turn < count)
            entry = self.entries[begin[works] + turn]
            begins = np.zeros(len(place), bool)
            begins[works] = entry[:, 1] & 0x8000 != 0
            for worker in np.flatnonzero((begins | (turn >= count)) & (held >= 0)):
                ends.append((held[worker], p[worker].copy(), bias[worker]))
                held[worker] = -1
            new = begins[works]
            users = self.user_of[entry[:, 3]]
            held[works[new]] = users[new]
            p[works[new]], bias[works[new]] = self.users[users[new]], self.user_bias[users[new]]
            np.testing.assert_array_equal(held[works], users)
            part[works] += new
            self._round(works, tile[works], entry[:, 3], p, bias, rule)
        self._put_back(ends, rule)

    def _round(self, works, tile, which, p, bias, rule):
        """Process a rating of each worker; all read the items before one is moved."""
        if not len(works):
            return
        items, fixed = self.item_of[which], self.fixed
        _, group, sizes = np.unique(items, return_inverse=True, return_counts=True)
        share = share_of(sizes[group])[:, None]
        rows = self.rows[items]
        q = (np.maximum(rows, 0) if rule.positive else rows).astype(np.float32)
        own = self.bias_rows[items].astype(np.float32)
        mine = p[works]
        predicted = fma(self._product(mine, q), fixed.unit, rule.mean)
        if self.biased:
            predicted = fma(own, fixed.unit, predicted + bias[works])
        step = rule.rate * (self.value_of[which] - predicted)
        scaled, of_q = step * fixed.scale, -rule.decay * share
        by = integers(fma(scaled[:, None] * share, mine, of_q * q))
        if rule.positive:
            by = np.maximum(by, -q.astype(np.int64))
        moved = rule.moved(mine, q, (step * fixed.unit)[:, None])
        p[works] = moved.astype(self.stored).astype(np.float32)
        np.add.at(self.rows, items, by)
        self.rows[items] = wrapped(self.rows[items])
        if self.biased:
            np.add.at(self.bias_rows, items, integers(fma(scaled, share[:, 0], of_q[:, 0] * own)))
            self.bias_rows[items] = wrapped(self.bias_rows[items])
            bias[works] = rule.moved_bias(bias[works], step)

    def _product(self, p, q):
        """Return products of vectors: in a lane one after the other, then lanes in a butterfly."""
        n, k = p.shape
        p, q = (x.reshape(n, k // self.parts, self.parts) for x in (p, q))
        sums = np.zeros(p.shape[:2], np.float32)
        for j in range(self.parts):
            sums = fma(p[:, :, j], q[:, :, j], sums)
        while sums.shape[1] > 1:
            half = sums.shape[1] // 2
            sums = sums[:, :half] + sums[:, half:]
        return sums[:, 0]

    def _put_back(self, ends, rule):
        """Write the users of a turn to memory; one in parts moves by what these add up to."""
        by_user = {}
        for user, vector, bias in ends:
            by_user.setdefault(user, []).append((vector, bias))
        fixed = self.fixed
        for user, parts in by_user.items():
            if len(parts) == 1:
                self.users[user], self.user_bias[user] = parts[0]
                continue
            share = share_of(len(parts))
            for at, vectors in (
                (self.users[user], [vector for vector, _ in parts]),
                (self.user_bias[user : user + 1], [bias for _, bias in parts]),
            ):
                total = sum(fixed.of(vector) for vector in vectors)
                to = fma(share, fixed.value(total - len(parts) * fixed.of(at)), at)
                at[:] = to
            if rule.positive:
                self.users[user] = np.maximum(self.users[user], 0)
            self.users[user] = self.users[user].astype(self.stored)
