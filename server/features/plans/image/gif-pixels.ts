// Decodes one frame of a GIF, because the image library does not: LZW, interlacing, transparency on white.
import { rejectImage, type Size } from './picture.ts'

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
  /** Index of the transparent colour. */
  readonly transparent: number | undefined
  readonly codeBits: number
  /** The coded data without block lengths. */
  readonly data: Buffer
}

/** Four bytes per pixel of the whole screen. @throws AppError invalid if the data is broken or ends too early */
export function gifPixels(screen: Size, frame: GifFrame): Uint8Array {
  const indices = unpack(frame.data, frame.codeBits, frame.width * frame.height)
  const rgba = new Uint8Array(screen.width * screen.height * 4).fill(255)
  for (const [row, y] of rowOrder(frame.height, frame.isInterlaced).entries()) {
    for (let x = 0; x < frame.width; x += 1) {
      const index = indices[row * frame.width + x] ?? 0
      if (index === frame.transparent) continue
      if (index * 3 + 3 > frame.colours.length) rejectImage()
      rgba.set(frame.colours.subarray(index * 3, index * 3 + 3), ((frame.top + y) * screen.width + frame.left + x) * 4)
    }
  }
  return rgba
}

/** The image line of each stored line. */
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

/** The colour indices of `length` pixels; later data is ignored. */
function unpack(data: Buffer, codeBits: number, length: number): Uint8Array {
  if (codeBits < 1 || codeBits > 8) rejectImage()
  const clear = 2 ** codeBits
  const end = clear + 1
  const out = new Uint8Array(length)
  // Each code beyond the colours is a run of earlier output: its start and length.
  const starts = new Uint32Array(codesMax)
  const lengths = new Uint32Array(codesMax)
  const width = { bits: codeBits + 1 }
  let next = end + 1
  let written = 0
  // Length of the previous run; 0 at the start and after a clear code.
  let run = 0
  for (const code of codesOf(data, width)) {
    if (code === clear) {
      next = end + 1
      width.bits = codeBits + 1
      run = 0
      continue
    }
    if (run > 0 && next < codesMax) {
      // The new code is the previous run plus the next index. It may be used at once: the copy has written that index by then.
      starts[next] = written - run
      lengths[next] = run + 1
      next += 1
      if (next === 2 ** width.bits && width.bits < codeBitsMax) width.bits += 1
    }
    if (code === end || code >= next) rejectImage()
    const from = starts[code] ?? 0
    run = code < clear ? 1 : (lengths[code] ?? 0)
    if (code < clear) out[written] = code
    else for (let at = 0; at < run; at += 1) out[written + at] = out[from + at] ?? 0
    written += run
    if (written >= length) return out
  }
  return rejectImage()
}

/** Consecutive codes, lowest bit first, each with the current `width`. */
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
