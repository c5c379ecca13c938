// Reads a PNG's chunks: size first, then only those needed for pixels; texts, profiles, animation and trailing data are dropped.
import { checkedSize, rejectImage, type Picture } from './picture.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const wanted = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** @throws AppError invalid if it is not a PNG, is truncated before its end chunk, or is too large in pixels */
export function readPng(bytes: Buffer): Picture {
  if (!bytes.subarray(0, 8).equals(signature) || bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') rejectImage()
  const size = checkedSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
  const parts: Buffer[] = [signature]
  for (let at = 8; at + 12 <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) rejectImage()
    if (wanted.has(type)) parts.push(bytes.subarray(at, end))
    if (type === 'IEND') return { ...size, file: Buffer.concat(parts) }
    at = end
  }
  return rejectImage()
}
