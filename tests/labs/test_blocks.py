"""The lab on blocks: sums under schedules, races and other sizes; what a multiprocessor holds."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from gpucore.errors import ParameterError
from warplens.labs.kit import book
from warplens.labs.kit.kernels import run
from warplens.labs.warp import blocks, pictures

SUM = """
SIMT_KERNEL(total)(const int* in, int* out)
{
    SIMT_SHARED(int[256], part);
    const int i = threadIdx.x;
    part[i] = in[i];
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half) part[i] += part[i + half];
    }
    if (i == 0) out[0] = part[0];
}
"""


@pytest.fixture(autouse=True)
def empty_book():
    book.forget()


@pytest.mark.parametrize(
    ("old", "new", "ok", "why"),
    [
        ("", "", True, "schedules each"),
        ("__syncthreads();", "", False, "nothing to order them"),
        ("half > 0", "half > 1", False, "leaves numbers out"),
        ("blockDim.x / 2", "64", False, "With 64 threads"),  # right for 128 threads only
        ("if (i < half) part", "if (i < half) parts", False, "does not compile"),
    ],
)
def test_sums_of_a_block(lab_compiler, old, new, ok, why):
    verdict = blocks.block_sum(SUM.replace(old, new) if old else SUM)
    assert verdict.ok is ok, verdict.why
    assert why in verdict.why


def test_the_kernel_counts_its_levels_and_a_shuffle_needs_no_memory(lab_compiler):
    source = SUM.replace("out[0] = part[0]", "{ out[0] = part[0]; out[1] = 7; }")
    made = run(source, np.ones(128, np.int32), np.zeros(2, np.int32), block=128)
    assert blocks.levels(7, made).ok
    assert blocks.shared_accesses(0, made).ok is False
    assert pictures.mapping(made).html.count("scheduler ") == 4


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "found", "bound"),
    [
        (256, 32, 0, 8, "the number of warps"),
        (256, 64, 0, 4, "registers"),
        (32, 32, 0, 32, "the number of blocks"),
        (128, 32, 48 * 1024, 4, "shared memory"),
    ],
)
def test_what_a_multiprocessor_holds(threads, registers, shared, found, bound):
    fits = blocks.resident(threads, registers, shared)
    assert (fits.blocks, fits.bound) == (found, bound)
    assert blocks.blocks_that_fit(found, threads, registers, shared).ok


def test_blocks_that_do_not_exist_are_refused():
    with pytest.raises(ParameterError, match="1 to 1,024 threads"):
        blocks.resident(2048)
    with pytest.raises(ParameterError, match="does not fit"):
        blocks.resident(1024, 255)


@pytest.mark.parametrize(("multiprocessors", "turns"), [(2, 4), (4, 2), (3, 3)])
def test_a_grid_on_more_multiprocessors(multiprocessors, turns):
    drawn = pictures.scaling(8, [multiprocessors]).html
    assert f"take {turns} turns" in drawn
    assert drawn.count(">block ") == 8


@pytest.mark.parametrize("picture", [pictures.memories, blocks.hiding])
def test_texts_end_inside_the_picture(picture):
    """A character of 12 pixels is about 6.5 wide; pages of Jupyter show 860 at most."""
    found = re.search(r"<svg.*</svg>", picture().html, re.DOTALL)
    svg = ET.fromstring(found[0])
    texts = [text for text in svg.iter("text") if text.get("text-anchor") is None]
    assert texts
    for text in texts:
        assert float(text.get("x")) + 6.5 * len(text.text) <= min(float(svg.get("width")), 860)
