// Reads a JPEG's segments: size first, then all scans up to the end marker; metadata and trailing data are dropped.
import { checkedSize, rejectImage, type Picture, type Size } from './picture.ts'

/** Progressive files have about ten; each additional one is a whole pass over the pixels. */
const scansMax = 50

const startOfScan = 0xda
const endOfImage = 0xd9
/** The Adobe segment specifies the colour encoding. */
const adobe = 0xee

/** @throws AppError invalid if it is not a JPEG, has no end marker, too many scans, or is too large in pixels */
export function readJpeg(bytes: Buffer): Picture {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) rejectImage()
  const parts: Buffer[] = [bytes.subarray(0, 2)]
  let size: Size | undefined
  let scans = 0
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) rejectImage()
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      // Any number of fill bytes may precede a marker.
      at += 1
      continue
    }
    if (marker === endOfImage) {
      if (size === undefined || scans === 0) rejectImage()
      return { ...size, file: Buffer.concat([...parts, bytes.subarray(at, at + 2)]) }
    }
    if (at + 4 > bytes.length) rejectImage()
    const length = bytes.readUInt16BE(at + 2)
    let end = at + 2 + length
    if (length < 2 || end > bytes.length) rejectImage()
    if (isFrame(marker)) {
      if (size !== undefined || length < 8) rejectImage()
      size = checkedSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    }
    if (marker === startOfScan) {
      scans += 1
      if (size === undefined || scans > scansMax) rejectImage()
      end = endOfScan(bytes, end)
    }
    const isMetadata = (marker >= 0xe0 && marker <= 0xef && marker !== adobe) || marker === 0xfe
    if (!isMetadata) parts.push(bytes.subarray(at, end))
    at = end
  }
  return rejectImage()
}

/** C0 to CF are frames, except the tables C4 and CC and the reserved C8. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** End of the coded data: at a marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return rejectImage()
}
