// The segments of a JPEG: what is kept, what is dropped, and truncated files and wrong sizes.
import { expect, test } from 'vitest'
import { planAdminText } from '#shared/text/en/admin-plans.ts'
import { readJpeg } from './jpeg.ts'

const refused = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageInvalid })
const tooLarge = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageDimensions })

const start = Buffer.of(0xff, 0xd8)
const end = Buffer.of(0xff, 0xd9)
const nothing = Buffer.alloc(0)

function segment(marker: number, ...body: number[]): Buffer {
  return Buffer.of(0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body)
}

const frame = (width = 300, height = 200, marker = 0xc0) =>
  segment(marker, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0)
const scan = (...data: number[]) => Buffer.concat([segment(0xda, 1, 1, 0, 0, 63, 0), Buffer.from(data)])
const jpeg = (...parts: Buffer[]) => Buffer.concat([start, ...parts, end])

function fileOf(bytes: Buffer): Buffer {
  const picture = readJpeg(bytes)
  return 'file' in picture ? picture.file : nothing
}

test.each([
  ['another start', Buffer.concat([Buffer.of(0xff, 0xd9), frame(), scan(1), end])],
  ['something before the start', Buffer.concat([Buffer.of(0), jpeg(frame(), scan(1))])],
  ['start and end alone', jpeg()],
  ['no frame', jpeg(segment(0xdb, 0))],
  ['a scan before the frame', jpeg(scan(1), frame(), scan(1))],
  ['a frame without a scan', jpeg(frame())],
  ['two frames', jpeg(frame(), frame(), scan(1))],
  ['a frame after the scan', jpeg(frame(), scan(1), frame())],
  ['bytes between segments', jpeg(Buffer.of(0x00), frame(), scan(1))],
  ['a segment shorter than its length', jpeg(frame(), scan(1), Buffer.of(0xff, 0xdb, 0x00, 0x01))],
  ['a segment that is longer than the file', jpeg(frame(), scan(1), Buffer.of(0xff, 0xdb, 0x00, 0x05))],
  ['a frame that is too short for its size', jpeg(segment(0xc0, 8, 0, 1, 0, 1), scan(1))],
  ['a scan that does not end', Buffer.concat([start, frame(), scan(1, 0xff, 0x00, 0xff)])],
  ['a scan that ends in stuffed bytes', Buffer.concat([start, frame(), scan(1, 0xff, 0x00)])],
  ['no end marker', Buffer.concat([start, frame(), scan(1), segment(0xdb, 0)])],
  ['a frame without width', jpeg(frame(0, 1), scan(1))],
  ['a frame without height', jpeg(frame(1, 0), scan(1))],
  ['51 scans', jpeg(frame(), ...Array.from({ length: 51 }, () => scan(1)))],
])('%s is rejected', (_name, bytes) => {
  expect(() => readJpeg(bytes)).toThrow(refused)
})

test('a file truncated anywhere is rejected', () => {
  const whole = jpeg(segment(0xe0, 1, 2), frame(), segment(0xdb, 0), scan(1, 0xff, 0x00, 2), scan(3))
  for (let length = 0; length < whole.length; length += 1) expect(() => readJpeg(whole.subarray(0, length))).toThrow(refused)
  expect(readJpeg(whole)).toMatchObject({ width: 300, height: 200 })
})

test.each([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])(
  'the size is read from a frame of kind %i',
  (marker) => {
    const bytes = jpeg(frame(300, 200, marker), scan(1))
    expect(readJpeg(bytes)).toMatchObject({ width: 300, height: 200 })
    expect(() => readJpeg(jpeg(frame(1025, 200, marker), scan(1)))).toThrow(tooLarge)
    expect(() => readJpeg(jpeg(frame(300, 1025, marker), scan(1)))).toThrow(tooLarge)
  },
)

test.each([0xc4, 0xc8, 0xcc, 0xbf, 0xd0, 0xdb, 0xdd])('a segment of kind %i is not a frame, and is kept', (marker) => {
  expect(() => readJpeg(jpeg(frame(300, 200, marker), scan(1)))).toThrow(refused)
  const bytes = jpeg(frame(1025, 1025, marker), frame(), scan(1))
  expect(readJpeg(bytes)).toMatchObject({ width: 300, height: 200 })
  expect(fileOf(bytes)).toEqual(bytes)
})

test('a frame needs no more than its size', () => {
  expect(readJpeg(jpeg(segment(0xc0, 8, 0x02, 0x01, 0x01, 0x02, 3), scan(1)))).toMatchObject({ width: 258, height: 513 })
  expect(readJpeg(jpeg(segment(0xc0, 8, 0x04, 0x00, 0x04, 0x00, 1), scan(1)))).toMatchObject({ width: 1024, height: 1024 })
})

test.each([0xe0, 0xe1, 0xe2, 0xed, 0xef, 0xfe])('metadata of kind %i is dropped', (marker) => {
  expect(fileOf(jpeg(segment(marker, 1), frame(), segment(marker), scan(1), segment(marker, 2)))).toEqual(jpeg(frame(), scan(1)))
})

test.each([0xee, 0xdf, 0xf0, 0xfd, 0xdb])('a segment of kind %i is kept', (marker) => {
  const bytes = jpeg(segment(marker, 1), frame(), scan(1))
  expect(fileOf(bytes)).toEqual(bytes)
})

test('stuffed bytes, restarts and fill bytes are part of a scan', () => {
  const bytes = jpeg(frame(), scan(1, 0xff, 0x00, 2, 0xff, 0xd0, 3, 0xff, 0xd7, 4, 0xff, 0xff, 0x00, 5), scan(6))
  expect(fileOf(bytes)).toEqual(bytes)
})

test.each([0x01, 0xcc, 0xd8, 0xdb])('a marker of kind %i ends a scan', (marker) => {
  const bytes = jpeg(frame(), scan(1), segment(marker, 0))
  expect(fileOf(bytes)).toEqual(bytes)
})

test('metadata between scans is dropped', () => {
  expect(fileOf(jpeg(frame(), scan(1), segment(0xe1, 1), scan(2)))).toEqual(jpeg(frame(), scan(1), scan(2)))
})

test('fill bytes before a marker are dropped', () => {
  const fill = Buffer.of(0xff, 0xff, 0xff)
  expect(fileOf(Buffer.concat([start, fill, frame(), fill, scan(1), end]))).toEqual(jpeg(frame(), scan(1)))
})

test('50 scans are read, and bytes after the end marker are dropped', () => {
  const bytes = jpeg(frame(), ...Array.from({ length: 50 }, () => scan(1)))
  expect(fileOf(Buffer.concat([bytes, Buffer.from('<script>'), bytes]))).toEqual(bytes)
})
