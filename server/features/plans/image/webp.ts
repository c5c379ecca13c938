// Reads a WebP's chunks: size first, then one still picture; further frames, profiles, metadata and tails stay behind.
import { checkSize, refuseImage, type Picture } from './picture.ts'

/** @throws AppError invalid where it is no WebP, is cut off, has no picture, or is too large in pixels. */
export function readWebp(bytes: Buffer): Picture {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') refuseImage()
  const end = bytes.readUInt32LE(4) + 8
  if (end > bytes.length) refuseImage()
  const chunks = readChunks(bytes.subarray(12, end))
  const canvas = chunks.get('VP8X')
  if (canvas !== undefined) {
    if (canvas.length < 10) refuseImage()
    checkSize(canvas.readUIntLE(4, 3) + 1, canvas.readUIntLE(7, 3) + 1)
  }
  const firstFrame = chunks.get('ANMF')
  return stillOf(firstFrame === undefined ? chunks : readChunks(firstFrame.subarray(16)))
}

/** The first chunk of each kind; a second picture would never be shown. */
function readChunks(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  for (let at = 0; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (end > bytes.length) refuseImage()
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, end))
    at = end + (length % 2)
  }
  return chunks
}

function stillOf(chunks: Map<string, Buffer>): Picture {
  const lossless = chunks.get('VP8L')
  if (lossless !== undefined) {
    if (lossless.length < 5 || lossless[0] !== 0x2f) refuseImage()
    const bits = lossless.readUInt32LE(1)
    const size = { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    checkSize(size.width, size.height)
    return { ...size, file: riff([['VP8L', lossless]]) }
  }
  const lossy = chunks.get('VP8 ')
  if (lossy === undefined || lossy.length < 10 || lossy.toString('hex', 3, 6) !== '9d012a') refuseImage()
  const size = { width: lossy.readUInt16LE(6) & 0x3fff, height: lossy.readUInt16LE(8) & 0x3fff }
  checkSize(size.width, size.height)
  const alpha = chunks.get('ALPH')
  if (alpha === undefined) return { ...size, file: riff([['VP8 ', lossy]]) }
  const canvas = Buffer.alloc(10)
  canvas[0] = 0x10
  canvas.writeUIntLE(size.width - 1, 4, 3)
  canvas.writeUIntLE(size.height - 1, 7, 3)
  return {
    ...size,
    file: riff([
      ['VP8X', canvas],
      ['ALPH', alpha],
      ['VP8 ', lossy],
    ]),
  }
}

function riff(chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = chunks.flatMap(([type, data]) => [Buffer.from(type, 'latin1'), lengthOf(data), data, Buffer.alloc(data.length % 2)])
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts])
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), lengthOf(body), body])
}

function lengthOf(data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return length
}
