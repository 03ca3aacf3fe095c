"""Floating-point numbers of 16 bits in watched kernels, against NumPy's and exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

TOP = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>"


def bfloat(values: np.ndarray) -> np.ndarray:
    """Return floats rounded to the nearest bfloat16, of two the even one, as floats."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
    return rounded.astype(np.uint32).view(np.float32)


ROUND = """const int i = blockIdx.x * 256 + threadIdx.x;
out[i] = __half_as_ushort(__float2half(in[i]));
out[n + i] = float(half(in[i])) == __half2float(in[i]);
out[2 * n + i] = __bfloat16_as_ushort(__float2bfloat16(in[i]));
if (i < 65536) widened[i] = __half2float(__ushort_as_half(i));"""


def test_conversions_round_to_the_nearest(run):
    generator = np.random.default_rng(1)
    some = np.exp2(generator.uniform(-26, 17, 8000)).astype(np.float32)
    ties = np.arange(0, 2**12, dtype=np.float32) * np.float32(2.0**-25)  # subnormal halves
    special = np.array(
        [0, -0.0, np.inf, -np.inf, 65519, 65520, 1e38, -1e-8, 2049, 2051], np.float32
    )
    x = np.concatenate([some, -some, ties, special])
    x = np.resize(x, len(x) // 256 * 256 + 256)
    call = {"parameters": "unsigned short* out, const float* in, float* widened, int n", "top": TOP}
    call |= {"grid": len(x) // 256, "block": 256}
    out = np.zeros(3 * len(x), np.uint16)
    found = run(ROUND, out, x, np.zeros(65536, np.float32), np.int32(len(x)), **call)
    halves, same, bfloats = found.arrays[0].reshape(3, -1)
    with np.errstate(over="ignore"):
        assert np.array_equal(halves, x.astype(np.float16).view(np.uint16))
    assert same.all()
    finite = np.isfinite(x)
    assert np.array_equal(
        bfloats[finite], (bfloat(x).view(np.uint32) >> 16).astype(np.uint16)[finite]
    )
    covered = len(x)
    wide = np.arange(covered, dtype=np.uint16).view(np.float16).astype(np.float32)
    np.testing.assert_array_equal(found.arrays[2][:covered], wide)


PAIRS = """const int i = blockIdx.x * 256 + threadIdx.x;
const T a = x[i], b = y[i], c = z[i];
T* at = out + 8 * i;
at[0] = a + b; at[1] = __hsub(a, b); at[2] = __hmul(a, b); at[3] = a / b;
at[4] = __hfma(a, b, c); at[5] = __hmax(a, b); at[6] = -a; at[7] = a; at[7] += c;"""


def exact(kind, a, b, c):
    """Return the wanted results as exact fractions."""
    a, b, c = (Fraction(float(v)) for v in (a, b, c))
    return a + b, a - b, a * b, a / b, a * b + c, max(a, b), -a, a + c


def nearest(value: Fraction, mantissa: int, least: int) -> float:
    """Return the number nearest to a fraction that has so many bits after its first."""
    size, exponent = abs(value), 0
    if size:
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        exponent -= size < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, least) - mantissa)
    return float(round(value / unit) * unit)  # Python rounds half to even


@pytest.mark.parametrize(
    ("name", "mantissa", "least"), [("half", 10, -14), ("nv_bfloat16", 7, -126)]
)
def test_arithmetic_is_rounded_once(run, name, mantissa, least):
    generator = np.random.default_rng(2)
    numbers = generator.integers(2**mantissa, 2 ** (mantissa + 1), (3, 1024)).astype(np.float64)
    numbers *= np.exp2(generator.integers(-mantissa - 3, -mantissa + 3, (3, 1024)))
    # a product that is a tie, and a summand far below it
    numbers[:, 0] = 1 + 2.0**-mantissa, 1.5, 2.0**-9
    numbers[:, 1] = 1 + 2.0**-mantissa, 1.5, -(2.0**-9)
    raw = numbers.astype(np.float32)
    arrays = [one.astype(np.float16) if name == "half" else bits(one) for one in raw]
    out = np.zeros(8192, arrays[0].dtype)
    call = {"parameters": "T* out, const T* x, const T* y, const T* z", "grid": 4, "block": 256}
    found = run(PAIRS, out, *arrays, top=f"{TOP}\ntypedef {name} T;", **call)
    got = found.arrays[0]
    got = got.astype(np.float64) if name == "half" else wide(got).astype(np.float64)
    for i in range(1024):
        want = [nearest(value, mantissa, least) for value in exact(name, *raw[:, i])]
        assert got[8 * i : 8 * i + 8].tolist() == want


def bits(values: np.ndarray) -> np.ndarray:
    return (values.view(np.uint32) >> 16).astype(np.uint16)


def wide(codes: np.ndarray) -> np.ndarray:
    return (codes.astype(np.uint32) << 16).view(np.float32)


def test_a_fused_sum_far_below_a_tie_decides_it(run):
    """1.5 (1 + 2**-7) is a tie of two bfloat16; 2**-80 is beyond the 53 bits of a double."""
    text = "out[{}] = __hfma(T(1.5f), T(1.0078125f), T({}0x1p-80f)) - T(1.5f);"
    body = text.format(0, "") + text.format(1, "-")
    call = {"parameters": "float* out", "block": 1, "top": f"{TOP}\ntypedef nv_bfloat16 T;"}
    found = run(body, np.zeros(2, np.float32), **call)
    assert found.arrays[0].tolist() == [2.0**-6, 2.0**-7]


VALUES = {
    "__float2half_rz(1e6f)": 65504,
    "__float2half_ru(1.0001f)": 1 + 2.0**-10,
    "__float2half_rd(-1.0001f)": -1 - 2.0**-10,
    "__float2bfloat16_rz(1.999f)": 1.9921875,
    "__half2int_rn(half(2.5f)) + __half2int_rz(half(-2.5f))": 0,
    "__half2short_ru(half(1e5f)) + __half2uint_rd(half(-3.0f))": 32767,
    "__int2half_rn(2049)": 2048,
    "__ull2bfloat16_rn(257ull)": 256,
    "__hlt(half(1), half(2)) + 10 * __hge(half(1), half(2))": 1,
    "__heq(nan, nan) + 10 * __hequ(nan, nan) + 100 * __hne(nan, nan)": 10,
    "__hneu(nan, nan) + 10 * __hltu(nan, nan) + 100 * __hlt(nan, nan)": 11,
    "(nan != nan) + __hisnan(nan) + __hisinf(CUDART_INF_FP16)": 3,
    "__hadd_sat(half(0.75f), half(0.5f))": 1,
    "__hmin(nan, half(3)) + hsqrt(half(4)) + hexp2(half(3)) + hrcp(half(4))": 13.25,
    "hfloor(half(-1.5f)) - hceil(half(1.5f)) + hrint(half(2.5f))": -2,
    "float(x++) - 10 * float(x--) + 100 * float(++x) - 1000 * float(--x)": 5 - 60 + 600 - 5000,
    "__low2float(p + q) + 100 * __high2float(__hmul2(p, q))": 4 + 800,
    "__half22float2(__hfma2(p, q, p)).y": 10,
    "__high2float(__lowhigh2highlow(p)) + __low2float(__halves2half2(half(7), half(8)))": 8,
    "__hfma_relu(half(-1), half(2), half(1)) + __hfma_sat(half(1), half(2), half(1))": 1,
    "__hisnan(__hmax_nan(nan, half(1))) + 10 * __hbne2(p, q) + __low2float(__hne2(p, p))": 11,
    "__high2float(__hadd2_sat(p, q)) + __low2float(__hfma2_relu(p, -p, p))": 1,
    "__hbeq2(p, p) + 10 * __hblt2(p, q) + 100 * __hbgt2(p, q)": 11,
    "__low2float(__hlt2(p, q)) + __high2float(h2sqrt(q * q)) + __hadd(3, 6)": 9,
    "__bfloat1622float2(__floats2bfloat162_rn(1.0f, 257.0f)).y": 256,
    "__half2float(__shfl_sync(1u, half(5), 0)) + __shfl_xor_sync(1u, p, 0).y.real()": 7,
}


def test_intrinsics(run):
    body = "const half nan = CUDART_NAN_FP16; const half2 p = make_half2(1, 2); half x = 5;\n"
    body += "const half2 q = __floats2half2_rn(3.0f, 4.0f);\n"
    body += "\n".join(f"out[{i}] = {text};" for i, text in enumerate(VALUES))
    out = np.zeros(len(VALUES))
    found = run(body, out, parameters="double* out", block=1, top=TOP)
    assert dict(zip(VALUES, found.arrays[0].tolist(), strict=True)) == VALUES


SHARE = """__shared__ half part[32];
part[threadIdx.x] = in[31 - threadIdx.x];
__syncwarp();
float other = part[31 - threadIdx.x];
atomicAdd(out, __float2half(other));
atomicAdd(pair, make_half2(1, threadIdx.x));
in[threadIdx.x] += in[threadIdx.x] * half(2);
if (%s) part[0] = half(1);"""


@pytest.mark.parametrize("late", ["false", "threadIdx.x == 9"])
def test_halves_are_memory_like_any_other(run, late):
    x = np.arange(32, dtype=np.float16)
    arrays = np.zeros(1, np.float16), np.zeros(2, np.float16), x
    call = {"parameters": "half* out, half2* pair, half* in", "top": TOP, "schedules": 3}
    found = run(SHARE % late, *arrays, **call)
    total, pair, tripled = found.arrays
    assert total[0] == 496
    assert pair.tolist() == [32, 496]
    assert np.array_equal(tripled, 3 * x)
    lines = {frozenset((r.first.line, r.second.line)) for r in found.races}
    assert lines == (set() if late == "false" else {frozenset((8, 12))})
