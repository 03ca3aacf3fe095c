"""Random numbers as ``numpy.random.default_rng(seed)`` gives them: PCG64 (O'Neill 2014)."""

from __future__ import annotations

from collections.abc import Iterator

_M32, _M64, _M128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645


def _words(seed: int) -> Iterator[int]:
    """Yield 32-bit words of the state that a seed gives, as NumPy's ``SeedSequence``."""
    entropy = [seed & _M32]
    while seed := seed >> 32:
        entropy.append(seed & _M32)
    hashed = 0x43B0D7E5

    def mixed(value: int) -> int:
        nonlocal hashed
        value ^= hashed
        hashed = hashed * 0x931E8875 & _M32
        value = value * hashed & _M32
        return value ^ value >> 16

    def joined(x: int, y: int) -> int:
        value = (0xCA01F9DD * x - 0x4973F715 * y) & _M32
        return value ^ value >> 16

    pool = [mixed(entropy[at] if at < len(entropy) else 0) for at in range(4)]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = joined(pool[target], mixed(pool[source]))
    for more in entropy[4:]:
        pool = [joined(one, mixed(more)) for one in pool]
    factor, at = 0x8B51F9DD, 0
    while True:
        value = pool[at % 4] ^ factor
        factor = factor * 0x58F38DED & _M32
        value = value * factor & _M32
        yield value ^ value >> 16
        at += 1


class Generator:
    """Numbers of a seed."""

    def __init__(self, seed: int) -> None:
        words = _words(seed)
        high, low, begin_high, begin_low = (next(words) | next(words) << 32 for _ in range(4))
        self._step = ((begin_high << 64 | begin_low) << 1 | 1) & _M128
        self._state = self._step
        self._state = (self._state + (high << 64 | low)) & _M128
        self._advance()
        self._half: int | None = None

    def _advance(self) -> None:
        self._state = (self._state * _MULTIPLIER + self._step) & _M128

    def _next(self) -> int:
        self._advance()
        value, turn = (self._state >> 64 ^ self._state) & _M64, self._state >> 122
        return (value >> turn | value << (64 - turn)) & _M64

    def _next32(self) -> int:
        if self._half is not None:
            value, self._half = self._half, None
            return value
        value = self._next()
        self._half = value >> 32
        return value & _M32

    def floats(self, count: int) -> Iterator[float]:
        """Yield numbers from 0 to 1."""
        for _ in range(count):
            yield (self._next() >> 11) * 2.0**-53

    def integers(self, bound: int, count: int) -> Iterator[int]:
        """Yield numbers below a bound up to 2**32 (Lemire 2019)."""
        for _ in range(count):
            if bound == 1:
                yield 0
                continue
            product = self._next32() * bound
            if product & _M32 < bound:
                least = (1 << 32) % bound
                while product & _M32 < least:
                    product = self._next32() * bound
            yield product >> 32
