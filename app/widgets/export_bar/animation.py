"""An animated GIF from pictures of a replay.

The browser draws the frames; here they are reduced to few colours and written to one file. The size
of each frame is checked before it is decoded.
"""

from __future__ import annotations

import io

from PIL import Image, UnidentifiedImageError

from gpucore.errors import ParameterError

MOST_FRAMES = 120
MOST_PIXELS = 1_000_000
MOST_FRAME_BYTES = 2 << 20
COLOURS = 128


class Animation:
    """Collects frames.

    Parameters
    ----------
    count : int
        Number of frames, at most :data:`MOST_FRAMES`.
    milliseconds : int
        How long each is shown, 20 to 2000; the last one three times as long, at least a second.

    Raises
    ------
    ParameterError
        `count` or `milliseconds` is out of bounds.
    """

    def __init__(self, count: int, milliseconds: int) -> None:
        if not (_whole(count) and 1 <= count <= MOST_FRAMES):
            raise ParameterError(f"an animation has 1 to {MOST_FRAMES} frames, not {count!r}")
        if not (_whole(milliseconds) and 20 <= milliseconds <= 2000):
            raise ParameterError("a frame is shown for 20 to 2000 milliseconds")
        self._count = count
        self._milliseconds = milliseconds
        self._frames: list[Image.Image] = []

    @property
    def complete(self) -> bool:
        """Whether all frames are there."""
        return len(self._frames) == self._count

    def add(self, png: bytes) -> None:
        """Take the next frame, a PNG picture.

        Raises
        ------
        ParameterError
            The frame is no PNG, too large, of another size than the first, or one too many.
        """
        if self.complete:
            raise ParameterError("the animation has all its frames already")
        if len(png) > MOST_FRAME_BYTES:
            raise ParameterError("a frame of the animation is too large; make the window smaller")
        try:
            image = Image.open(io.BytesIO(png), formats=("PNG",))
            if image.width * image.height > MOST_PIXELS:
                raise ParameterError("a frame of the animation has too many pixels")
            if self._frames and image.size != self._frames[0].size:
                raise ParameterError("the view changed its size while the animation was made")
            colours = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        except (OSError, SyntaxError, UnidentifiedImageError) as error:
            raise ParameterError("a frame of the animation is not a picture") from error
        self._frames.append(colours)

    def gif(self) -> bytes:
        """Return the file; it is played for ever."""
        first, *others = self._frames
        last = max(1000, 3 * self._milliseconds)
        out = io.BytesIO()
        first.save(
            out,
            format="GIF",
            save_all=True,
            append_images=others,
            duration=[self._milliseconds] * len(others) + [last],
            loop=0,
        )
        return out.getvalue()


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
