"""An animation consists of the frames that the browser sent; other input is refused."""

import io

import pytest
from PIL import Image

from gpucore.errors import ParameterError
from warplens.app.widgets.export_bar.animation import MOST_FRAMES, Animation


def frame(colour, size=(60, 40), form="PNG"):
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, form)
    return out.getvalue()


def test_the_frames_are_in_the_file():
    colours = [(250, 0, 0), (0, 250, 0), (0, 0, 250)]
    animation = Animation(len(colours), 100)
    for colour in colours:
        assert not animation.complete
        animation.add(frame(colour))
    assert animation.complete
    with Image.open(io.BytesIO(animation.gif())) as made:
        assert made.format == "GIF"
        assert made.n_frames == 3
        assert made.info["loop"] == 0
        for number, colour in enumerate(colours):
            made.seek(number)
            assert made.convert("RGB").getpixel((5, 5)) == colour
            assert made.info["duration"] == (1000 if number == 2 else 100)


@pytest.mark.parametrize("count", [0, MOST_FRAMES + 1, None, True, 2.5])
def test_the_number_of_frames_is_bounded(count):
    with pytest.raises(ParameterError):
        Animation(count, 100)


@pytest.mark.parametrize(
    "picture",
    [
        b"nothing",
        frame("red", form="BMP"),
        frame("red", size=(61, 40)),
        frame("red", size=(2000, 2000)),
        frame("red")[:60],
        bytes(3 << 20),
    ],
)
def test_bad_frames_are_refused(picture):
    animation = Animation(2, 100)
    animation.add(frame("blue"))
    with pytest.raises(ParameterError):
        animation.add(picture)


def test_no_more_frames_than_announced():
    animation = Animation(1, 100)
    animation.add(frame("red"))
    with pytest.raises(ParameterError):
        animation.add(frame("red"))
