// Unpacks one frame of a GIF, because the image library reads no GIF: LZW, interlacing, transparency on white.
import { refuseImage } from './picture.ts'

const codeBitsMax = 12
const codesMax = 2 ** codeBitsMax

export interface GifFrame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly isInterlaced: boolean
  /** Red, green and blue of each colour. */
  readonly colours: Buffer
  /** Index of the colour that shows what is behind. */
  readonly transparent: number | undefined
  readonly codeBits: number
  /** The coded data without block lengths. */
  readonly data: Buffer
}

/** Four bytes a pixel of the whole screen. @throws AppError invalid where the data is broken or ends too early. */
export function gifPixels(screen: { width: number; height: number }, frame: GifFrame): Uint8Array {
  const indices = unpack(frame.data, frame.codeBits, frame.width * frame.height)
  const rgba = new Uint8Array(screen.width * screen.height * 4).fill(255)
  for (const [row, y] of rowOrder(frame.height, frame.isInterlaced).entries()) {
    for (let x = 0; x < frame.width; x += 1) {
      const index = indices[row * frame.width + x] ?? 0
      if (index === frame.transparent) continue
      if (index * 3 + 3 > frame.colours.length) refuseImage()
      rgba.set(frame.colours.subarray(index * 3, index * 3 + 3), ((frame.top + y) * screen.width + frame.left + x) * 4)
    }
  }
  return rgba
}

/** Which line of the picture each stored line is. */
function rowOrder(height: number, isInterlaced: boolean): number[] {
  const passes = isInterlaced
    ? ([
        [0, 8],
        [4, 8],
        [2, 4],
        [1, 2],
      ] as const)
    : ([[0, 1]] as const)
  return passes.flatMap(([first, step]) => Array.from({ length: Math.ceil((height - first) / step) }, (_, index) => first + index * step))
}

/** The colour indices of `length` pixels; what comes after them is not looked at. */
function unpack(data: Buffer, codeBits: number, length: number): Uint8Array {
  if (codeBits < 1 || codeBits > 8) refuseImage()
  const clear = 2 ** codeBits
  const end = clear + 1
  const out = new Uint8Array(length)
  // Each code stands for a run of what is already written: where it starts, and how long it is.
  const starts = new Uint32Array(codesMax)
  const lengths = new Uint32Array(codesMax)
  const width = { bits: codeBits + 1 }
  let next = end + 1
  let written = 0
  let previous: { start: number; length: number } | undefined
  for (const code of codesOf(data, width)) {
    if (code === clear) {
      next = end + 1
      width.bits = codeBits + 1
      previous = undefined
      continue
    }
    const isColour = code < clear
    if (code === end || (!isColour && (previous === undefined || code > next))) refuseImage()
    const start = written
    if (isColour) out[start] = code
    // A code that is only now being made is the run before it and its first index once more, which the copy has written by then.
    const isNew = code === next
    const from = isNew ? (previous?.start ?? 0) : (starts[code] ?? 0)
    const count = isColour ? 1 : isNew ? (previous?.length ?? 0) + 1 : (lengths[code] ?? 0)
    if (!isColour) repeatRun(out, start, from, count)
    written += count
    if (written >= length) return out
    if (previous !== undefined && next < codesMax) {
      starts[next] = previous.start
      lengths[next] = previous.length + 1
      next += 1
      if (next === 2 ** width.bits && width.bits < codeBitsMax) width.bits += 1
    }
    previous = { start, length: count }
  }
  return refuseImage()
}

/** Codes one after the other, lowest bit first, each as wide as `width` says at that moment. */
function* codesOf(data: Buffer, width: { readonly bits: number }): Generator<number> {
  let held = 0
  let heldBits = 0
  for (const byte of data) {
    held |= byte << heldBits
    heldBits += 8
    while (heldBits >= width.bits) {
      const { bits } = width
      yield held & (2 ** bits - 1)
      held >>>= bits
      heldBits -= bits
    }
  }
}

/** Byte by byte, because source and target may overlap. */
function repeatRun(out: Uint8Array, at: number, from: number, count: number): void {
  const end = Math.min(at + count, out.length)
  for (let to = at, source = from; to < end; to += 1, source += 1) out[to] = out[source] ?? 0
}
