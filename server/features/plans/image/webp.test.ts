// The chunks of a WebP: what is kept, what is dropped, and truncated files and wrong sizes.
import { expect, test } from 'vitest'
import { planAdminText } from '#shared/text/en/admin-plans.ts'
import { readWebp } from './webp.ts'

const refused = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageInvalid })
const tooLarge = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageDimensions })

const nothing = Buffer.alloc(0)

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function chunk(kind: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind, 'latin1'), uint32(data.length), data, Buffer.alloc(data.length % 2)])
}

function webp(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return Buffer.concat([Buffer.from('RIFF'), uint32(body.length), body])
}

/** A lossy image's header; the upper two bits of each size are the scale. */
function lossyData(width: number, height: number, tag = '9d012a'): Buffer {
  const bytes = Buffer.alloc(12, 7)
  bytes.write(tag, 3, 'hex')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}

/** A lossless image's header; the bits above both sizes are flags. */
function losslessData(width: number, height: number, mark = 0x2f, flags = 0): Buffer {
  return Buffer.concat([Buffer.of(mark), uint32(((width - 1) | ((height - 1) << 14) | (flags << 28)) >>> 0)])
}

function canvas(width: number, height: number, flags = 0): Buffer {
  const bytes = Buffer.alloc(10)
  bytes.writeUInt8(flags, 0)
  bytes.writeUIntLE(width - 1, 4, 3)
  bytes.writeUIntLE(height - 1, 7, 3)
  return chunk('VP8X', bytes)
}

const lossy = (width = 300, height = 200) => chunk('VP8 ', lossyData(width, height))
const lossless = (width = 300, height = 200) => chunk('VP8L', losslessData(width, height))
const alpha = chunk('ALPH', Buffer.of(1, 2, 3))
const animation = (...chunks: Buffer[]) => chunk('ANMF', Buffer.concat([Buffer.alloc(16, 9), ...chunks]))

function fileOf(bytes: Buffer): Buffer {
  const picture = readWebp(bytes)
  return 'file' in picture ? picture.file : nothing
}

/** A file with other first bytes. */
function named(at: number, name: string): Buffer {
  const bytes = webp(lossy())
  bytes.write(name, at, 'latin1')
  return bytes
}

test.each([
  ['another container', named(0, 'RIFX')],
  ['another kind', named(8, 'WEBM')],
  ['no chunk', webp()],
  ['no picture', webp(chunk('EXIF', Buffer.alloc(20)))],
  ['a canvas without a picture', webp(canvas(300, 200))],
  ['an empty animation', webp(canvas(300, 200), animation())],
  ['a canvas that is too short', webp(chunk('VP8X', Buffer.alloc(9)), lossy())],
  ['an empty canvas at the end', webp(lossy(), chunk('VP8X', nothing))],
  ['a lossy picture without its tag', webp(chunk('VP8 ', lossyData(300, 200, '9d012b')))],
  ['a lossy picture that is too short', webp(chunk('VP8 ', lossyData(300, 200).subarray(0, 9)))],
  ['a lossy picture without width', webp(lossy(0, 200))],
  ['a lossy picture without height', webp(lossy(300, 0))],
  ['a lossless picture without its mark', webp(chunk('VP8L', losslessData(300, 200, 0x2e)))],
  ['a lossless picture that is too short', webp(chunk('VP8L', losslessData(300, 200).subarray(0, 4)), chunk('EXIF', Buffer.alloc(4)))],
  ['a chunk that is longer than the file', webp(lossy(), Buffer.concat([Buffer.from('EXIF'), uint32(3), Buffer.of(1, 2)]))],
  ['a file that is longer than declared', Buffer.concat([webp().subarray(0, 12), lossy()])],
])('%s is rejected', (_name, bytes) => {
  expect(() => readWebp(bytes)).toThrow(refused)
})

test.each([
  ['lossy, wide', webp(lossy(1025, 1))],
  ['lossy, high', webp(lossy(1, 1025))],
  ['lossless, wide', webp(lossless(1025, 1))],
  ['lossless, high', webp(lossless(1, 1025))],
  ['the canvas, wide', webp(canvas(1025, 1), lossy())],
  ['the canvas, high', webp(canvas(1, 1025), lossy())],
  ['the canvas, three bytes wide', webp(canvas(65_536 + 1, 1), lossy())],
  ['the canvas, three bytes high', webp(canvas(1, 65_536 + 1), lossy())],
  ['the first frame', webp(canvas(300, 200), animation(lossy(1025, 1)))],
])('too many pixels are rejected: %s', (_name, bytes) => {
  expect(() => readWebp(bytes)).toThrow(tooLarge)
})

test('a file truncated anywhere is rejected', () => {
  for (const whole of [webp(lossy()), webp(lossless()), webp(canvas(300, 200), alpha, lossy())]) {
    expect(readWebp(whole)).toMatchObject({ width: 300, height: 200 })
    for (let length = 0; length < whole.length; length += 1) expect(() => readWebp(whole.subarray(0, length))).toThrow(refused)
  }
})

test.each([
  [1, 1],
  [1024, 2],
  [2, 1024],
  [1024, 1024],
])('%i x %i pixels are read from every kind of image', (width, height) => {
  for (const bytes of [
    webp(lossy(width, height)),
    webp(lossless(width, height)),
    webp(canvas(width, height), lossless(width, height)),
    webp(chunk('VP8L', losslessData(width, height, 0x2f, 0xf))),
    webp(lossy(width | 0x4000, height | 0x8000)),
  ])
    expect(readWebp(bytes)).toMatchObject({ width, height })
})

test('a lossy header of ten bytes is enough, and so is a lossless one of five', () => {
  expect(readWebp(webp(chunk('VP8 ', lossyData(3, 2).subarray(0, 10))))).toMatchObject({ width: 3, height: 2 })
  const bytes = webp(chunk('VP8L', losslessData(3, 2)))
  expect(readWebp(bytes)).toMatchObject({ width: 3, height: 2 })
  expect(fileOf(bytes)).toEqual(bytes)
})

test.each([
  ['a lossy picture alone', webp(lossy()), webp(lossy())],
  ['a lossless picture alone', webp(lossless()), webp(lossless())],
  [
    'metadata',
    webp(canvas(300, 200, 0x2c), chunk('ICCP', Buffer.of(1)), lossless(), chunk('EXIF', Buffer.of(1)), chunk('XMP ', nothing)),
    webp(lossless()),
  ],
  ['a second picture', webp(lossy(), lossy(100, 100)), webp(lossy())],
  ['transparency of a lossy picture', webp(canvas(400, 400), alpha, lossy()), webp(canvas(300, 200, 0x10), alpha, lossy())],
  ['transparency of a lossless picture', webp(canvas(300, 200), alpha, lossless()), webp(lossless())],
  ['lossless before lossy', webp(lossy(), lossless(30, 20)), webp(lossless(30, 20))],
  ['the first frame', webp(canvas(400, 400, 2), chunk('ANIM', Buffer.alloc(6)), animation(lossy()), animation(lossy(1, 1))), webp(lossy())],
  ['the first frame with transparency', webp(canvas(400, 400, 2), animation(alpha, lossy())), webp(canvas(300, 200, 0x10), alpha, lossy())],
  ['the frame before the still picture', webp(canvas(400, 400), animation(lossy()), lossless()), webp(lossy())],
  ['bytes after the end', Buffer.concat([webp(lossy()), lossless(), Buffer.from('<script>')]), webp(lossy())],
  ['a few bytes after the last chunk', webp(lossy(), Buffer.of(1, 2, 3, 4, 5, 6, 7)), webp(lossy())],
])('%s: only one still image is kept', (_name, bytes, kept) => {
  expect(fileOf(bytes)).toEqual(kept)
})
