// Size of a value as JSON in UTF-8.

/** Bytes of the value's JSON; counted without TextEncoder, which is not available everywhere this runs. */
export function jsonBytesOf(value: unknown): number {
  let bytes = 0
  for (const character of JSON.stringify(value) ?? '') {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
