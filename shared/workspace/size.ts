// How large a value is as JSON, in the bytes of UTF-8.

/** Bytes of the value's JSON; counted without an encoder, which not every place that runs this has. */
export function jsonBytesOf(value: unknown): number {
  let bytes = 0
  for (const character of JSON.stringify(value) ?? '') {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
