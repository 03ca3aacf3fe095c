"""Records survive saving and loading; hostile files are refused."""

from __future__ import annotations

import dataclasses
import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gpucore.errors import RecordError
from gpucore.families.matching.record import matching_timeline
from gpucore.record import Record
from support.suitor_simulation import record_of

PATH = (5, [(0, 1, 1.0), (1, 2, 2.0), (2, 3, 3.0), (3, 4, 4.0)])
SMALL = record_of(*PATH)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "run.npz"
    record_of(*PATH).save(path)
    return path


def tables(record):
    return {
        (part, name): column
        for part in ("steps", "warps", "events", "initial", "final")
        for name, column in getattr(record, part).items()
    }


def assert_equal(one, other):
    assert one.header == other.header
    assert tables(one).keys() == tables(other).keys()
    for key, column in tables(one).items():
        assert column.dtype == tables(other)[key].dtype
        assert column.tobytes() == tables(other)[key].tobytes(), key


def rewritten(path, replacements):
    """Copy an archive with members replaced (None: left out) or added."""
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()} | replacements
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in members.items():
            if data is not None:
                new.writestr(name, data)
    return path


def with_header(path, **changes):
    with zipfile.ZipFile(path) as archive:
        header = json.loads(archive.read("header.json"))
    return rewritten(path, {"header.json": json.dumps(header | changes)})


def array_bytes(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def test_round_trip(saved):
    record = Record.load(saved)
    assert_equal(record_of(*PATH), dataclasses.replace(record, header=record_of(*PATH).header))
    assert matching_timeline(record).exact
    assert not list(saved.parent.glob("*.part"))


def test_equal_records_make_equal_files(tmp_path):
    for name in ("one", "two"):
        SMALL.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_numpy_reads_it_too(saved):
    with np.load(saved, allow_pickle=False) as archive:
        assert archive["events/kind"].dtype == np.uint8
        assert json.loads(archive["header.json"])["schema"] == 1


numbers = st.sampled_from([np.int32, np.int64, np.uint8, np.float32, np.float64])


@settings(max_examples=40, deadline=None)
@given(
    columns=st.dictionaries(
        st.from_regex(r"[a-z][a-z_0-9]{0,8}", fullmatch=True),
        numbers.flatmap(lambda dtype: hnp.arrays(dtype, 7)),
        max_size=4,
    ),
    notes=st.dictionaries(st.text(), st.integers() | st.text() | st.none(), max_size=3),
)
def test_any_columns_come_back(columns, notes, tmp_path_factory):
    base = record_of(*PATH)
    record = dataclasses.replace(base, header=base.header | {"params": notes}, warps=columns)
    path = tmp_path_factory.mktemp("record") / "run.npz"
    record.save(path)
    rows = len(next(iter(columns.values()), ()))
    ranks = {"rank": np.zeros(rows, np.int16)} if columns else {}  # one device, if none is named
    assert_equal(Record.load(path), dataclasses.replace(record, warps=ranks | columns))


def test_missing_file(tmp_path):
    with pytest.raises(RecordError, match="cannot be read"):
        Record.load(tmp_path / "none.npz")


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(RecordError, match="cannot be written"):
        record_of(*PATH).save(tmp_path / "no" / "such" / "folder.npz")


def test_a_header_that_json_cannot_say(tmp_path):
    record = record_of(*PATH)
    record.header["params"]["odd"] = float("nan")
    with pytest.raises(RecordError, match="JSON"):
        record.save(tmp_path / "run.npz")
    assert not list(tmp_path.iterdir())


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=300))
def test_garbage(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("garbage") / "run.npz"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=r"run\.npz"):
        Record.load(path)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_flipped_and_missing_bytes(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / "run.npz"
    SMALL.save(path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    try:
        matching_timeline(Record.load(path))
    except RecordError as error:
        assert str(error)


def test_newer_and_impossible_schemas(saved):
    with pytest.raises(RecordError, match=r"newer Warplens.*update"):
        Record.load(with_header(saved, schema=2))
    with pytest.raises(RecordError, match="never existed"):
        Record.load(with_header(saved, schema=0))


@pytest.mark.parametrize(
    "changes", [{"family": 3}, {"lost": {"events": "many"}}, {"lost": {}}, {"graph": {}}]
)
def test_headers_that_make_no_sense(saved, changes):
    with pytest.raises(RecordError):
        Record.load(with_header(saved, **changes))


def test_objects_are_not_unpickled(saved):
    evil = array_bytes(np.array([print, len], dtype=object), allow_pickle=True)
    with pytest.raises(RecordError, match="no column of numbers"):
        Record.load(rewritten(saved, {"events/kind.npy": evil}))


def test_a_column_that_declares_more_than_it_holds(saved):
    small = array_bytes(np.zeros(3, np.int32))
    huge = small.replace(b"(3,)", b"(9999999999999,)", 1)
    with pytest.raises(RecordError, match="declares more"):
        Record.load(rewritten(saved, {"events/a.npy": huge}))


def test_columns_of_different_lengths(saved):
    with pytest.raises(RecordError, match="different lengths"):
        Record.load(rewritten(saved, {"events/a.npy": array_bytes(np.zeros(3, np.int32))}))


def test_zip_bombs_are_refused_before_they_unpack(saved):
    bomb = rewritten(saved, {"events/a.npy": bytes(1 << 24)})
    assert bomb.stat().st_size < 1 << 16
    with pytest.raises(RecordError, match="unpacks to"):
        Record.load(bomb, max_bytes=1 << 20)
    with pytest.raises(RecordError, match="more than the 100 that"):
        Record.load(bomb, max_bytes=100)


def test_foreign_members(saved):
    with pytest.raises(RecordError, match="no part of a record"):
        Record.load(rewritten(saved, {"../../evil.npy": b""}))
    many = {f"steps/x{i}.npy": array_bytes(np.zeros(1)) for i in range(300)}
    with pytest.raises(RecordError, match="at most"):
        Record.load(rewritten(saved, many))


def test_no_header(saved):
    with pytest.raises(RecordError, match="no Warplens record"):
        Record.load(rewritten(saved, {"header.json": None}))
