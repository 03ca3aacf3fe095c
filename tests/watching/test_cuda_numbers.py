"""CUDA's vector types and small functions in watched kernels, against values from its guide."""

from __future__ import annotations

import ctypes as c
import math

import numpy as np
import pytest

HEADERS = """#include <cuda_runtime.h>
#include "device_launch_parameters.h"
#include <math_constants.h>
#include <cfloat>
#include <limits>
#include <cstdint>
#include <stdint.h>
#include <cstdio>"""


def values(run, expressions, dtype=np.float64, **options):
    """Return what lane 0 computes for each expression."""
    types = {"float64": "double", "float32": "float", "int64": "long long", "uint64": "uint64_t"}
    lines = "\n".join(f"out[{i}] = {one};" for i, one in enumerate(expressions))
    out = np.zeros(len(expressions), dtype)
    found = run(lines, out, parameters=f"{types[out.dtype.name]}* out", block=1, **options)
    return found.arrays[0].tolist()


#: Name, size of a component, alignment of a vector of four.
VECTORS = [("char", 1, 4), ("uchar", 1, 4), ("short", 2, 8), ("ushort", 2, 8), ("int", 4, 16)]
VECTORS += [("uint", 4, 16), ("float", 4, 16)]
VECTORS += [(name, 8, 16) for name in ("long", "ulong", "longlong", "ulonglong", "double")]


def test_vector_types_have_sizes_and_alignment_of_cuda(run):
    wanted = {}
    for name, size, four in VECTORS:
        aligned = {1: size, 2: 2 * size, 3: size, 4: four}
        wanted |= {f"sizeof({name}{n})": n * size for n in aligned}
        wanted |= {f"alignof({name}{n})": bytes_ for n, bytes_ in aligned.items()}
        made = f"make_{name}4(1, 2, 3, 4)"
        wanted[f"{made}.x + 10 * {made}.y + 100 * {made}.z + 1000 * {made}.w"] = 4321
        wanted[f"make_{name}3(1, 2, 3).z + make_{name}2(1, 2).y + make_{name}1(1).x"] = 6
    assert dict(zip(wanted, values(run, wanted, np.int64), strict=True)) == wanted


def test_sources_overload_functions_of_cuda(run):
    """As the samples' helper_math.h does."""
    top = """inline float2 make_float2(float all) { return make_float2(all, all); }
    inline float2 fabs(float2 a) { return make_float2(fabs(a.x), fabs(a.y)); }
    inline float2 fminf(float2 a, float2 b) { return make_float2(fminf(a.x, b.x), b.y); }
    inline int2 abs(int2 a) { return make_int2(abs(a.x), abs(a.y)); }
    inline float2 exp(float2 a) { return make_float2(exp(a.x), expf(a.y)); }
    inline int atomicAdd(short* a, int b) { return atomicAdd((int*)a, b); }
    template <class T> T max(T a, T b, T c) { return max(a, max(b, c)); }"""
    asked = ["fabs(make_float2(-3.0f)).y", "fminf(make_float2(1.0f), make_float2(2, 0)).y"]
    asked += ["abs(make_int2(-1, -2)).y", "exp(make_float2(0.0f)).x", "max(1, 5, 3)"]
    assert values(run, asked, top=top) == [3, 0, 2, 1, 5]


def test_built_in_variables_are_vectors(run):
    top = """inline float3 make_float3(float all) { return make_float3(all, all, all); }
    inline int add(int3 a) { return a.x + a.y + a.z; }
    inline __device__ int min(int a, int b, int c) { return min(a, min(b, c)); }"""
    body = """uint3 at = threadIdx;
    dim3 size = blockDim, plain(7), grid = gridDim;
    uint3 back = size;
    int i = at.x + at.y * size.x + at.z * size.x * size.y;
    out[i] = 1000000 * plain.x * plain.y + 100000 * (back.y + grid.x)
        + 10 * int(make_float3(2.0f).z) + min(9, 4, 5) + add(make_int3(1, 2, 3)) + 100 * i;"""
    out = run(
        body,
        np.zeros(12, np.int32),
        parameters="int* out",
        top=top,
        grid=(1, 1, 1),
        block=(2, 3, 2),
    ).arrays
    assert out[0].tolist() == [7400000 + 20 + 4 + 6 + 100 * i for i in range(12)]


def test_headers_bring_limits_and_constants(run):
    asked = ["FLT_MAX", "std::numeric_limits<float>::infinity()", "CUDART_PI_F", "INT_MAX"]
    asked += ["CUDART_INF_F", "CUDART_NAN", "UINT64_C(5)", "CUDART_L2E"]
    got = values(run, asked, top=HEADERS)
    f32 = np.finfo(np.float32)
    wanted = [f32.max, math.inf, np.float32(math.pi), 2**31 - 1, math.inf, math.nan, 5]
    np.testing.assert_array_equal(got, [*wanted, math.log2(math.e)])


INTEGERS = {
    "__mulhi(-3, 1 << 30)": -1,
    "__umulhi(0xffffffffu, 0xffffffffu)": 0xFFFFFFFE,
    "__mul64hi(-1ll, 5ll)": -1,
    "(long long)__umul64hi(1ull << 63, 6ull)": 3,
    "__mul24(0x00ffffff, 7)": -7,
    "__umul24(0xff000003u, 5u)": 15,
    "__sad(-5, 7, 3u)": 15,
    "__usad(7u, 0xffffffffu, 1u)": 0xFFFFFFF9,
    "__hadd(2147483647, 2147483646)": 2147483646,
    "__hadd(-3, 0)": -2,
    "__rhadd(-3, 0)": -1,
    "__uhadd(0xffffffffu, 0xfffffffeu)": 0xFFFFFFFE,
    "__urhadd(0xffffffffu, 0xfffffffeu)": 0xFFFFFFFF,
    "__byte_perm(0x33221100u, 0x77665544u, 0x7531u)": 0x77553311,
    "__byte_perm(0x33221100u, 0x77665544u, 0x0123u)": 0x00112233,
    "__funnelshift_l(0x80000001u, 0x2u, 33u)": 5,
    "__funnelshift_lc(0x80000001u, 0x2u, 33u)": 0x80000001,
    "__funnelshift_r(0x80000001u, 0x3u, 1u)": 0xC0000000,
    "__funnelshift_rc(0x80000001u, 0x3u, 40u)": 3,
    "__dp4a(0x01ff0203, 0x02030405, 10)": 10 + 2 - 3 + 8 + 15,
    "__dp4a(0x00ff0000u, 0x00020000u, 1u)": 511,
    "ullmax(1ull << 40, 3ull) + ullmin(1ull << 40, 3ull) + llmin(-1ll, 2ll)": 2**40 + 2,
    "__double2hiint(1.0)": 0x3FF00000,
    "__double2loint(__hiloint2double(-1, 77))": 77,
}


def test_integer_functions(run):
    assert values(run, list(INTEGERS), np.int64) == list(INTEGERS.values())


ROUNDED = {
    "__float2int_rz(-2.7f)": -2,
    "__float2int_ru(-2.7f)": -2,
    "__float2int_rd(-2.2f)": -3,
    "__float2int_rz(3e9f)": 2**31 - 1,
    "__float2int_rd(-INFINITY)": -(2**31),
    "__float2uint_rn(2.5f)": 2,
    "__float2uint_rn(-1.0f)": 0,
    "__float2uint_ru(4294967296.0f)": 2**32 - 1,
    "__float2int_rz(NAN)": 0,
    "__double2int_rn(3.5)": 4,
    "__double2int_rz(NAN)": -(2**31),
    "__float2ll_rz(NAN)": -(2**63),
    "__float2ll_rn(-1e30f)": -(2**63),
    "__double2ll_rd(-0.5)": -1,
    "(long long)__double2ull_ru(0.5)": 1,
    "__double2uint_rn(1.5)": 2,
}


def test_conversions_to_integers(run):
    assert values(run, list(ROUNDED), np.int64) == list(ROUNDED.values())


def test_conversions_to_floating_point(run):
    big = 2**24 + 1  # between two floats, at the same distance
    above, below = 2.0**24 + 2, 2.0**24
    wanted = {
        f"__int2float_rn({big})": below,
        f"__int2float_ru({big})": above,
        f"__int2float_rd({-big})": -above,
        f"__int2float_rz({-big})": -below,
        f"__uint2float_rn({big + 2}u)": 2.0**24 + 4,
        "__ll2float_ru((1ll << 40) + 1)": 2.0**40 + 2**17,
        "__ull2float_rd(0xffffffffffffffffull)": 2.0**64 - 2**40,
        "__double2float_rn(0.1)": float(np.float32(0.1)),
        "__double2float_rd(0.1)": float(np.nextafter(np.float32(0.1), np.float32(0))),
        "__double2float_rz(1e300)": float(np.finfo(np.float32).max),
        "__double2float_ru(1e300)": math.inf,
        "__ll2double_rd((1ll << 53) + 1)": 2.0**53,
        "__ll2double_ru((1ll << 53) + 1)": 2.0**53 + 2,
        "__int2double_rn(-3)": -3.0,
        "__fadd_ru(1.0f, 1e-20f)": float(np.nextafter(np.float32(1), np.float32(2))),
        "__fadd_rz(1.0f, 1e-20f)": 1.0,
        "__fmul_rd(-1e-30f, 1e-30f)": -(2.0**-149),
        "__fdiv_ru(1.0f, 3.0f) - __fdiv_rd(1.0f, 3.0f)": 2.0**-25,
        "__frcp_ru(3.0f) - __frcp_rz(3.0f)": 2.0**-25,
        "__fsqrt_ru(2.0f) - __fsqrt_rd(2.0f)": 2.0**-23,
        "__dadd_ru(1.0, 1e-20)": 1 + 2.0**-52,
        "__fmaf_ru(1.0f, 1.0f, 1e-20f) - __fmaf_rz(1.0f, 1.0f, 1e-20f)": 2.0**-23,
        "__fma_rd(-1.0, 1.0, -1e-20)": -1 - 2.0**-52,
        "__fsqrt_rn(9.0f) + __frcp_rn(4.0f) + __frsqrt_rn(4.0f)": 3.75,
    }
    assert values(run, list(wanted)) == list(wanted.values())


def test_a_rounding_ends_with_the_launch(run):
    body = "out[0] = simt::rounded(FE_UPWARD, [] { __trap(); return 1.0f; });"
    report = run(body, np.zeros(1, np.float32), parameters="float* out")
    assert "__trap" in str(report)
    assert c.CDLL(None).fegetround() == 0  # to the nearest


def test_mathematical_functions(run):
    wanted = {
        "rsqrt(4.0)": 0.5,
        "rsqrt(16.0f) + rsqrtf(4.0f)": 0.75,
        "rcbrt(8.0)": 0.5,
        "sinpi(0.5)": 1.0,
        "sinpi(-2.25)": -math.sqrt(0.5),
        "cospi(1.0)": -1.0,
        "cospi(2.5)": 0.0,
        "sinpif(1e7f)": 0.0,
        "normcdf(0.0)": 0.5,
        "normcdf(-1.0)": 0.15865525393145705,
        "erf(erfinv(0.3))": 0.3,
        "erfinv(-0.5)": -0.4769362762044699,
        "erfinvf(1.0f)": math.inf,
        "__saturatef(1.5f) + __saturatef(-1.0f) + __saturatef(NAN)": 1.0,
        "__fdividef(1.0f, 4.0f)": 0.25,
        "__fdividef(1.0f, 0x1p127f)": 0.0,
        "__expf(1.0f)": float(np.float32(math.e)),
        "__exp10f(2.0f) + __log2f(8.0f) + __log10f(1000.0f)": 106.0,
        "__powf(2.0f, 10.0f) + __logf(1.0f)": 1024.0,
        "fminf(1.0f, NAN) + fmax(2.0, NAN) + abs(-3) + abs(-0.5f) + fabs(-1.0f)": 7.5,
        "norm3d(2.0, 3.0, 6.0) + rhypot(3.0, 4.0)": 7.2,
    }
    assert values(run, list(wanted)) == pytest.approx(list(wanted.values()), rel=1e-15, abs=1e-300)


def test_an_access_to_a_vector_is_one(run):
    body = "const float4 v = in[threadIdx.x];\nout[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);"
    x = np.arange(128, dtype=np.float32)
    found = run(body, np.zeros(128, np.float32), x, parameters="float4* out, const float4* in")
    assert np.array_equal(found.arrays[0].reshape(32, 4), x.reshape(32, 4)[:, ::-1])
    assert found.remarks == ()
    for kind, line in (("global load", 4), ("global store", 5)):
        counts = found.profile.select(kind, line=line)
        assert (counts["requests"], counts["sectors"]) == (1, 16)


HINTS = """const int i = threadIdx.x;
out[i] = __ldg(in + i) + __ldca(in + i) + __ldcs(in + i) + __ldlu(in + i) + __ldcv(in + i);
out[i] += __ldcg(in + i);
__stwb(out + 32 + i, 1.0f); __stcs(out + 64 + i, 2.0f); __stcg(out + 96 + i, 3.0f);
__stwt(out + 128 + i, 4.0f);
__stcg((float4*)(out + 160) + i, __ldcv((const float4*)in4 + i));
sincosf(0.0f, out + 288 + i, out + 320 + i);"""


def test_loads_and_stores_with_hints(run):
    x, x4 = np.arange(32, dtype=np.float32), np.arange(128, dtype=np.float32)
    parameters = "float* out, const float* in, const float* in4"
    found = run(HINTS, np.zeros(352, np.float32), x, x4, parameters=parameters)
    want = [6 * x, *(np.full(32, n) for n in (1, 2, 3, 4)), x4, np.zeros(32), np.ones(32)]
    assert np.array_equal(found.arrays[0], np.concatenate(want))
    assert found.profile.select("global load", line=5)["lanes"] == 5 * 32
    assert found.profile.select("global store", line=10)["lanes"] == 2 * 32


def test_a_hint_keeps_the_line_of_a_race(run):
    found = run("__stwb(out, 1);\n__ldca(out);", np.zeros(1, np.int32), parameters="int* out")
    lines = {race.first.line for race in found.races} | {race.second.line for race in found.races}
    assert lines == {4, 5}


def test_the_clock_goes_on(run):
    body = """clock_t a = clock(); long long b = clock64(); __syncwarp();
    out[threadIdx.x] = clock() > a && clock64() > b;"""
    assert run(body, np.zeros(32, np.int32), parameters="int* out").arrays[0].all()
