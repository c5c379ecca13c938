// The chunks of a PNG: what is kept, what is dropped, and truncated files and wrong sizes.
import { expect, test } from 'vitest'
import { pngChunk, pngFile } from '#server/testing/images.ts'
import { planAdminText } from '#shared/text/en/admin-plans.ts'
import { readPng } from './png.ts'

const refused = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageInvalid })
const tooLarge = expect.objectContaining({ kind: 'invalid', message: planAdminText.imageDimensions })

const whole = pngFile(2, 2, Buffer.alloc(6))
const nothing = Buffer.alloc(0)

/** The types of the chunks after the signature. */
function kindsOf(file: Buffer): string[] {
  const kinds: string[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) kinds.push(file.toString('latin1', at + 4, at + 8))
  return kinds
}

function fileOf(bytes: Buffer): Buffer {
  const picture = readPng(bytes)
  return 'file' in picture ? picture.file : nothing
}

/** The file with bytes replaced at an offset. */
function changed(at: number, ...values: number[]): Buffer {
  const bytes = Buffer.from(whole)
  bytes.set(values, at)
  return bytes
}

test.each([
  ['another signature', changed(0, 0x88)],
  ['another end of the signature', changed(7, 0x0b)],
  ['another first chunk', changed(12, ...Buffer.from('IDAT'))],
  ['the first chunk in small letters', changed(12, ...Buffer.from('iHDR'))],
  ['no chunk', whole.subarray(0, 8)],
  [
    'a chunk that is longer than the file',
    Buffer.concat([whole.subarray(0, -12), Buffer.of(0, 0, 0, 1), Buffer.from('IEND'), Buffer.alloc(4)]),
  ],
  ['no end chunk', whole.subarray(0, -12)],
])('%s is rejected', (_name, bytes) => {
  expect(() => readPng(bytes)).toThrow(refused)
})

test.each([
  [0, 2, refused],
  [2, 0, refused],
  [1025, 2, tooLarge],
  [2, 1025, tooLarge],
  [0x80000000, 2, tooLarge],
  [1024 + 65_536, 2, tooLarge],
])('%i x %i pixels are rejected', (width, height, error) => {
  expect(() => readPng(pngFile(width, height, nothing))).toThrow(error)
})

test('a file truncated anywhere is rejected', () => {
  for (let length = 0; length < whole.length; length += 1) expect(() => readPng(whole.subarray(0, length))).toThrow(refused)
})

test.each([
  [1, 1],
  [1024, 3],
  [3, 1024],
])('%i x %i pixels are read', (width, height) => {
  expect(readPng(pngFile(width, height, nothing))).toMatchObject({ width, height })
})

test('only chunks needed for pixels are kept', () => {
  const extra = ['tEXt', 'zTXt', 'iTXt', 'iCCP', 'eXIf', 'acTL', 'fdAT', 'PLTE', 'tRNS', 'idat'].map((kind) =>
    pngChunk(kind, Buffer.of(1, 2)),
  )
  expect(kindsOf(fileOf(pngFile(2, 2, Buffer.alloc(6), extra)))).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
  expect(fileOf(whole)).toEqual(whole)
})

test('bytes after the end chunk are dropped', () => {
  expect(fileOf(Buffer.concat([whole, pngChunk('IDAT', nothing), Buffer.from('<script>')]))).toEqual(whole)
})
