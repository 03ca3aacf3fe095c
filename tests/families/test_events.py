"""Every family's table of events agrees with its kernels, its bands and its timeline."""

import re

import pytest

from gpucore.device.source import files
from gpucore.family import families

RECORDED = [name for name, family in families().items() if family.record]
#: Those with kernels; the others' native code has a test with the methods.
WITH_KERNELS = [name for name in RECORDED if families()[name].algorithms]
#: Not an event: what a lane without one passes to the recording macros.
NO_EVENT = {"NO_EVENT": 0}


def enumeration(family):
    """Return the events that a family's device code numbers, by name."""
    folder = f"families/{family}/kernels"
    text = "\n".join(p.read_text() for p in files().values() if folder in p.as_posix())
    (body,) = re.findall(r"enum \w+Event : unsigned \{(.*?)\};", text, re.DOTALL)
    return {name: int(code) for name, code in re.findall(r"(\w+) = (\d+)", body)}


@pytest.mark.parametrize("family", WITH_KERNELS)
def test_the_kernels_number_events_as_the_table_does(family):
    events = families()[family].load_record().events
    table = {event.code.name: int(event.code) for event in events if not event.host}
    assert enumeration(family) == NO_EVENT | table


@pytest.mark.parametrize("family", RECORDED)
def test_every_kind_is_in_the_table_once_with_its_words_and_band(family):
    kind = families()[family].load_record()
    codes = [event.code for event in kind.events]
    assert codes == sorted(type(codes[0]))
    assert {event.band for event in kind.events} == {band.colour for band in kind.bands}
    assert all(event.label and event.sentence for event in kind.events)
    shown = [code for band in kind.bands_of_kinds() for code in band["kinds"]]
    assert sorted(shown) == [int(code) for code in codes]
