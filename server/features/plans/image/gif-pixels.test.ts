// LZW, interlacing and transparency, with hand-written code streams.
import { expect, test } from 'vitest'
import { packed } from '#server/testing/images.ts'
import { planAdminText } from '#shared/text/en/admin-plans.ts'
import { gifPixels, type GifFrame } from './gif-pixels.ts'

type Code = readonly [code: number, bits: number]

/** Sixteen colours whose red is their index; the end code of four bits is 17. */
const sixteen = Buffer.from(Array.from({ length: 16 }, (_, index) => [index, 100, 200]).flat())
const clear = 16
const end = 17
const first = 18

function frameOf(codes: readonly Code[], values: Partial<GifFrame> = {}): GifFrame {
  return {
    left: 0,
    top: 0,
    width: 2,
    height: 2,
    isInterlaced: false,
    colours: sixteen,
    transparent: undefined,
    codeBits: 4,
    data: packed(codes),
    ...values,
  }
}

/** Rows of the red of each pixel; 255 is the white behind the frame. */
function reds(frame: GifFrame, screen: { width: number; height: number } = frame): number[][] {
  const rgba = gifPixels(screen, frame)
  expect(rgba).toHaveLength(screen.width * screen.height * 4)
  return Array.from({ length: screen.height }, (_, y) =>
    Array.from({ length: screen.width }, (_, x) => rgba[(y * screen.width + x) * 4] ?? -1),
  )
}

const fives = (codes: readonly number[]): Code[] => codes.map((code) => [code, 5])
const refused = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageInvalid })

test.each([
  ['no code', []],
  ['the end code alone', [clear, end]],
  ['the end code before the last pixel', [clear, 1, 2, 3, end, 4]],
  ['too few codes', [clear, 1, 2, 3]],
  ['a run before any colour', [clear, first, 1, 2, 3]],
  ['a run before any colour, without a clear code', [first, 1, 2, 3]],
  ['a code after the next one', [clear, 1, first + 1, 1, 1]],
  ['a run from before the clear code', [clear, 1, 2, clear, first, 1, 1]],
  ['a code from before the clear code', [clear, 1, 2, clear, 1, first + 1, 1]],
])('%s is rejected', (_name, codes) => {
  expect(() => gifPixels({ width: 2, height: 2 }, frameOf(fives(codes)))).toThrow(refused)
})

test.each([0, 9])('codes of %i bits are rejected', (codeBits) => {
  const codes: Code[] = [1, 1, 1, 1].map((code) => [code, codeBits + 1])
  expect(() => gifPixels({ width: 2, height: 2 }, frameOf(codes, { codeBits }))).toThrow(refused)
})

test.each([1, 8])('codes of %i bits are read', (codeBits) => {
  const codes = [2 ** codeBits, 1, 0, 0, 1].map((code): Code => [code, codeBits + 1])
  expect(reds(frameOf(codes, { codeBits }))).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test('a pixel whose colour is not in the table is rejected, and the last colour of the table is read', () => {
  const values = { colours: sixteen.subarray(0, 9) }
  expect(() => reds(frameOf(fives([clear, 0, 1, 2, 3]), values))).toThrow(refused)
  expect(() => reds(frameOf(fives([clear, 0, 1, 2, 2]), { colours: sixteen.subarray(0, 8) }))).toThrow(refused)
  expect(reds(frameOf(fives([clear, 0, 1, 2, 2]), values))).toEqual([
    [0, 1],
    [2, 2],
  ])
})

test.each([
  ['colours only', [clear, 1, 2, 3, 4], [1, 2, 3, 4]],
  ['no clear code in front', [1, 2, 3, 4], [1, 2, 3, 4]],
  ['a known run', [clear, 1, 2, first], [1, 2, 1, 2]],
  ['a run that is being made: itself and its first colour', [clear, 1, first, 1], [1, 1, 1, 1]],
  ['a run of a run that is being made', [clear, 1, first, first + 1], [1, 1, 1, 1]],
  ['a run of two, being made', [clear, 1, 2, first, first + 2], [1, 2, 1, 2]],
  ['a clear code in between', [clear, 1, 2, clear, 3, 4], [1, 2, 3, 4]],
  ['a run after a clear code', [clear, 5, 6, clear, 1, first, 2], [5, 6, 1, 1]],
  ['codes after the last pixel', [clear, 1, 2, 3, 4, 5, first + 9], [1, 2, 3, 4]],
  ['a run that is longer than the picture', [clear, 1, first, 2, first + 2, first + 2], [1, 1, 1, 2]],
])('%s', (_name, codes, pixels) => {
  expect(reds(frameOf(fives(codes))).flat()).toEqual(pixels)
})

test('the last code may end with the last byte', () => {
  expect(reds(frameOf([], { codeBits: 7, data: Buffer.of(128, 1, 2, 3, 4) })).flat()).toEqual([1, 2, 3, 4])
})

test('all three colours of a pixel are written, and it is opaque', () => {
  expect([...gifPixels({ width: 1, height: 1 }, frameOf(fives([7]), { width: 1, height: 1 }))]).toEqual([7, 100, 200, 255])
})

/** Colour codes only, each as wide as the current table requires; followed by `more`. */
function plainCodes(count: number, more: readonly number[] = []): Code[] {
  const codes = [...Array.from({ length: count }, (_, index) => index % 16), ...more]
  return codes.map((code, index) => [code, Math.min(12, Math.max(5, Math.ceil(Math.log2(first + index))))])
}

test('codes widen as the table grows, up to twelve bits, and a full table stays as it is', () => {
  const width = 100
  for (const height of [1, 3, 6, 11, 21, 41, 42]) {
    const pixels = reds(frameOf(plainCodes(width * height), { width, height })).flat()
    expect(pixels.every((red, index) => red === index % 16)).toBe(true)
  }
  // Of the last entries, 4095 starts with the colour of number 4077, and 18 with the first.
  const more = reds(frameOf(plainCodes(4200, [4095, 18, 4094]), { width: 6, height: 701 })).flat()
  expect(more.slice(4200)).toEqual([13, 14, 0, 1, 12, 13])
})

test('lines of an interlaced frame are reordered', () => {
  const heights = [1, 2, 3, 5, 9, 17]
  for (const height of heights) {
    const stored = [
      [0, 8],
      [4, 8],
      [2, 4],
      [1, 2],
    ].flatMap(([from = 0, step = 1]) => Array.from({ length: height }, (_, y) => y).filter((y) => y >= from && (y - from) % step === 0))
    const frame = frameOf(fives([clear, ...stored.flatMap((y) => [y % 16, clear])]), { width: 1, height, isInterlaced: true })
    expect(reds(frame).flat()).toEqual(Array.from({ length: height }, (_, y) => y % 16))
  }
  const frame = frameOf(fives([1, 2, 3, 4, 5, 6]), { width: 2, height: 3, isInterlaced: true })
  expect(reds(frame)).toEqual([
    [1, 2],
    [5, 6],
    [3, 4],
  ])
})

test('a frame is at its position, and white around it and behind transparent pixels', () => {
  const frame = frameOf(fives([clear, 1, 2, 3, 4]), { left: 1, top: 2, transparent: 3 })
  expect(reds(frame, { width: 4, height: 5 })).toEqual([
    [255, 255, 255, 255],
    [255, 255, 255, 255],
    [255, 1, 2, 255],
    [255, 255, 4, 255],
    [255, 255, 255, 255],
  ])
})

test('a transparent pixel needs no colour in the table', () => {
  const frame = frameOf(fives([1, 9, 9, 2]), { colours: sixteen.subarray(0, 9), transparent: 9 })
  expect(reds(frame).flat()).toEqual([1, 255, 255, 2])
})
