// The blocks of a GIF: what is read, what is skipped, and truncated files and wrong sizes.
import { expect, test } from 'vitest'
import { blocksOf, packed } from '#server/testing/images.ts'
import { planAdminText } from '#shared/text/en/admin-plans.ts'
import { readGif } from './gif.ts'

const refused = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageInvalid })
const tooLarge = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageDimensions })

/** Four colours whose red is ten times their index, or a hundred plus their index. */
const tens = Buffer.from([0, 0, 0, 10, 0, 0, 20, 0, 0, 30, 0, 0])
const hundreds = Buffer.from([100, 0, 0, 101, 0, 0, 102, 0, 0, 103, 0, 0])
const trailer = Buffer.of(0x3b)

const uint16 = (value: number) => Buffer.of(value & 0xff, value >> 8)

interface HeadOptions {
  readonly name?: string
  readonly width?: number
  readonly height?: number
  readonly flags?: number
  readonly colours?: Buffer
}

function head({ name = 'GIF89a', width = 2, height = 2, flags = 0x81, colours = tens }: HeadOptions = {}): Buffer {
  return Buffer.concat([Buffer.from(name, 'latin1'), uint16(width), uint16(height), Buffer.of(flags, 0, 0), colours])
}

interface FrameOptions {
  readonly left?: number
  readonly top?: number
  readonly width?: number
  readonly height?: number
  readonly flags?: number
  readonly colours?: Buffer
  readonly codes?: readonly number[]
}

/** Codes of two bits: 4 is the clear code, and three more codes fit before they widen. */
function frame({
  left = 0,
  top = 0,
  width = 2,
  height = 2,
  flags = 0,
  colours = Buffer.alloc(0),
  codes = [1, 2, 4, 3, 0],
}: FrameOptions = {}) {
  const place = [left, top, width, height].map(uint16)
  const data = blocksOf(packed(codes.map((code) => [code, 3])))
  return Buffer.concat([Buffer.of(0x2c), ...place, Buffer.of(flags), colours, Buffer.of(2), ...data])
}

const control = (flags: number, transparent: number) => Buffer.of(0x21, 0xf9, 4, flags, 0, 0, transparent, 0)
const comment = Buffer.concat([Buffer.of(0x21, 0xfe), ...blocksOf(Buffer.alloc(300, 0x3b))])
const gif = (...parts: Buffer[]) => Buffer.concat([...parts, trailer])

/** The red values of the image in reading order. */
function reds(bytes: Buffer): number[] {
  const picture = readGif(bytes)
  return 'rgba' in picture ? [...picture.rgba].filter((_, index) => index % 4 === 0) : []
}

test.each([
  ['another name', gif(head({ name: 'GIF88a' }), frame())],
  ['another letter at the end of the name', gif(head({ name: 'GIF89b' }), frame())],
  ['something before the name', gif(Buffer.of(0x20), head(), frame())],
  ['the name in small letters', gif(head({ name: 'gif89a' }), frame())],
  ['a screen without width', gif(head({ width: 0 }), frame())],
  ['a screen without height', gif(head({ height: 0 }), frame())],
  ['no frame', gif(head())],
  ['no frame but a control', gif(head(), control(1, 2))],
  ['no trailer', Buffer.concat([head(), frame()])],
  ['a block of an unknown kind', gif(head(), Buffer.of(0x00, 0x00), frame())],
  ['a frame of an unknown kind', gif(head(), Buffer.concat([Buffer.of(0x2d), frame().subarray(1)]))],
  ['an unknown kind after the frame', gif(head(), frame(), Buffer.of(0x2d))],
  ['a frame one pixel beyond the right', gif(head(), frame({ left: 1 }))],
  ['a frame one pixel beyond the bottom', gif(head(), frame({ top: 1 }))],
  ['a frame wider than the screen', gif(head(), frame({ width: 3 }))],
  ['a frame higher than the screen', gif(head(), frame({ height: 3 }))],
  ['a later frame beyond the screen', gif(head(), frame(), frame({ left: 1 }))],
  ['no colours at all', gif(head({ flags: 0x01, colours: Buffer.alloc(0) }), frame())],
  ['a pixel without its colour', gif(head({ flags: 0x80, colours: tens.subarray(0, 6) }), frame())],
  ['a table of colours that is longer than the file', gif(head({ flags: 0x87 }), frame())],
  ['a frame table that is longer than the file', gif(head(), frame({ flags: 0x87 }))],
  ['too few pixels', gif(head(), frame({ codes: [1, 2] }))],
])('%s is rejected', (_name, bytes) => {
  expect(() => readGif(bytes)).toThrow(refused)
})

test.each([
  [{ width: 1025 }, tooLarge],
  [{ height: 1025 }, tooLarge],
  [{ width: 1024, height: 1024 }, refused],
])('a screen of %j is rejected before its frames are read', (size, error) => {
  expect(() => readGif(gif(head(size), Buffer.of(0x00)))).toThrow(error)
})

test('a file truncated anywhere is rejected', () => {
  const whole = gif(head(), control(1, 2), comment, frame({ flags: 0x81, colours: hundreds }), frame())
  expect(reds(whole)).toEqual([101, 255, 103, 100])
  for (let length = 0; length < whole.length; length += 1) expect(() => readGif(whole.subarray(0, length))).toThrow(refused)
})

test.each([
  ['version 89a', gif(head(), frame()), [10, 20, 30, 0]],
  ['version 87a', gif(head({ name: 'GIF87a' }), frame()), [10, 20, 30, 0]],
  ['bytes after the trailer', gif(head(), frame(), trailer, Buffer.from('<script>')), [10, 20, 30, 0]],
  ['comments', gif(head(), comment, comment, frame(), comment), [10, 20, 30, 0]],
  ['the colours of the frame', gif(head(), frame({ flags: 0x81, colours: hundreds })), [101, 102, 103, 100]],
  [
    'frame colours alone',
    gif(head({ flags: 0, colours: Buffer.alloc(0) }), frame({ flags: 0x81, colours: hundreds })),
    [101, 102, 103, 100],
  ],
  ['table size without its flag', gif(head(), frame({ flags: 0x01 })), [10, 20, 30, 0]],
  ['a transparent colour', gif(head(), control(1, 2), frame()), [10, 255, 30, 0]],
  ['other flags of a control beside transparency', gif(head(), control(0x1d, 3), frame()), [10, 20, 255, 0]],
  ['a control without the flag', gif(head(), control(0x1c, 2), frame()), [10, 20, 30, 0]],
  ['the last control before the frame', gif(head(), control(1, 1), control(1, 2), frame()), [10, 255, 30, 0]],
  ['a control that is too long', gif(head(), Buffer.of(0x21, 0xf9, 5, 1, 0, 0, 2, 0, 0), frame()), [10, 20, 30, 0]],
  ['another extension of the length of a control', gif(head(), Buffer.of(0x21, 0xfe, 4, 1, 0, 0, 2, 0), frame()), [10, 20, 30, 0]],
  ['a comment between control and frame', gif(head(), control(1, 2), comment, frame()), [10, 255, 30, 0]],
  ['the first frame only', gif(head(), frame(), frame({ codes: [0, 0, 4, 0, 0] })), [10, 20, 30, 0]],
  ['a later frame whose pixels are broken', gif(head(), frame(), frame({ codes: [5] })), [10, 20, 30, 0]],
  ['a control after the frame', gif(head(), frame(), control(1, 2), frame()), [10, 20, 30, 0]],
  ['a smaller frame', gif(head(), frame({ left: 1, top: 1, width: 1, height: 1 })), [255, 255, 255, 10]],
  ['a frame below', gif(head(), frame({ top: 1, height: 1 })), [255, 255, 10, 20]],
  ['a frame on the right', gif(head(), frame({ left: 1, width: 1 })), [255, 10, 255, 20]],
])('%s', (_name, bytes, pixels) => {
  expect(reds(bytes)).toEqual(pixels)
})

test('the image has the size of the screen', () => {
  expect(readGif(gif(head({ width: 5, height: 3 }), frame()))).toMatchObject({ width: 5, height: 3 })
  // Sizes have two bytes, little endian.
  expect(readGif(gif(head({ width: 259, height: 515 }), frame({ left: 257, top: 513 })))).toMatchObject({ width: 259, height: 515 })
})

test('an interlaced frame is reordered', () => {
  const codes = [0, 1, 4, 2, 3, 4, 1]
  expect(reds(gif(head({ width: 1, height: 5 }), frame({ width: 1, height: 5, codes, flags: 0x40 })))).toEqual([0, 30, 20, 10, 10])
  expect(reds(gif(head({ width: 1, height: 5 }), frame({ width: 1, height: 5, codes, flags: 0x3f })))).toEqual([0, 10, 20, 30, 10])
})

test('pixels may be spread over several blocks', () => {
  const side = 40
  const codes = Array.from({ length: side * side }, (_, index) => [index % 4, 4]).flat()
  const bytes = gif(head({ width: side, height: side }), frame({ width: side, height: side, codes }))
  expect(bytes.length).toBeGreaterThan(4 * 255)
  expect(reds(bytes).every((red, index) => red === (index % 4) * 10)).toBe(true)
})
