// Reads a WebP's chunks: size first, then one still image; other frames, profiles, metadata and trailing data are dropped.
import { checkedSize, rejectImage, type Picture, type Size } from './picture.ts'

/** @throws AppError invalid if it is not a WebP, truncated, without an image, or too large in pixels */
export function readWebp(bytes: Buffer): Picture {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') rejectImage()
  const end = bytes.readUInt32LE(4) + 8
  if (end > bytes.length) rejectImage()
  const chunks = readChunks(bytes.subarray(12, end))
  const canvas = chunks.get('VP8X')
  if (canvas !== undefined) {
    if (canvas.length < 10) rejectImage()
    checkedSize(canvas.readUIntLE(4, 3) + 1, canvas.readUIntLE(7, 3) + 1)
  }
  const firstFrame = chunks.get('ANMF')
  return stillOf(firstFrame === undefined ? chunks : readChunks(firstFrame.subarray(16)))
}

/** The first chunk of each type; a second image would never be shown. */
function readChunks(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  for (let at = 0; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (end > bytes.length) rejectImage()
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, end))
    at = end + (length % 2)
  }
  return chunks
}

function stillOf(chunks: Map<string, Buffer>): Picture {
  const lossless = chunks.get('VP8L')
  if (lossless !== undefined) {
    if (lossless.length < 5 || lossless[0] !== 0x2f) rejectImage()
    const bits = lossless.readUInt32LE(1)
    return still(checkedSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1), chunk('VP8L', lossless))
  }
  const lossy = chunks.get('VP8 ')
  if (lossy === undefined || lossy.length < 10 || lossy.toString('hex', 3, 6) !== '9d012a') rejectImage()
  const size = checkedSize(lossy.readUInt16LE(6) & 0x3fff, lossy.readUInt16LE(8) & 0x3fff)
  const alpha = chunks.get('ALPH')
  if (alpha === undefined) return still(size, chunk('VP8 ', lossy))
  const canvas = Buffer.alloc(10)
  canvas[0] = 0x10
  canvas.writeUIntLE(size.width - 1, 4, 3)
  canvas.writeUIntLE(size.height - 1, 7, 3)
  return still(size, chunk('VP8X', canvas), chunk('ALPH', alpha), chunk('VP8 ', lossy))
}

function still(size: Size, ...chunks: readonly Buffer[]): Picture {
  return { ...size, file: chunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])) }
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
