// Unpacks a binary message (gpucore/record/wire.py packs it): named typed arrays, views into
// the message wherever its place in memory allows.  A replay holds its message once, and little more:
// see the notes of player_payload for the bound.

const ARRAYS = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
  int64: BigInt64Array,
};

/** Returns {meta, arrays: {name: typed array}}, or throws an Error that can be shown. */
export function decodeMessage(view) {
  const bytes = asBytes(view);
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (magic !== "WSR1") {
    throw new Error("this is no Warplens message, or one of another version; reload the page");
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const text = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  const { meta, arrays } = JSON.parse(text);
  const found = {};
  for (const { name, dtype, shape, offset } of arrays) {
    const count = shape.reduce((product, size) => product * size, 1);
    found[name] = typedArray(bytes, ARRAYS[dtype], offset, count);
  }
  return { meta, arrays: found };
}

function asBytes(view) {
  if (view instanceof ArrayBuffer) return new Uint8Array(view);
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function typedArray(bytes, Type, offset, count) {
  const start = bytes.byteOffset + offset;
  if (start % Type.BYTES_PER_ELEMENT === 0) return new Type(bytes.buffer, start, count);
  const copy = bytes.slice(offset, offset + count * Type.BYTES_PER_ELEMENT);
  return new Type(copy.buffer, 0, count);
}
