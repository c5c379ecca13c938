// Reads a GIF's blocks: size first, then the first frame only; the other frames, comments and tails stay behind.
import { gifPixels } from './gif-pixels.ts'
import { checkSize, refuseImage, type Picture } from './picture.ts'

const trailer = 0x3b
const extension = 0x21
const graphicControl = 0xf9
const image = 0x2c

/** @throws AppError invalid where it is no GIF, is cut off, has no frame, or is too large in pixels. */
export function readGif(bytes: Buffer): Picture {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) refuseImage()
  const screen = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  checkSize(screen.width, screen.height)
  const colours = colourTable(bytes, 13, bytes[10] ?? 0)
  let control: Buffer | undefined
  let rgba: Uint8Array | undefined
  let at = 13 + colours.length
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === trailer) {
      if (rgba === undefined) refuseImage()
      return { ...screen, rgba }
    }
    if (kind === extension) {
      const end = endOfBlocks(bytes, at + 2)
      if (bytes[at + 1] === graphicControl && end === at + 8) control = bytes.subarray(at, end)
      at = end
    } else if (kind === image) {
      const table = checkFrame(bytes, at, screen)
      const data = at + 11 + table.length
      const end = endOfBlocks(bytes, data)
      rgba ??= gifPixels(screen, {
        left: bytes.readUInt16LE(at + 1),
        top: bytes.readUInt16LE(at + 3),
        width: bytes.readUInt16LE(at + 5),
        height: bytes.readUInt16LE(at + 7),
        isInterlaced: ((bytes[at + 9] ?? 0) & 0x40) !== 0,
        colours: table.length === 0 ? colours : table,
        transparent: control !== undefined && ((control[3] ?? 0) & 1) === 1 ? control[6] : undefined,
        codeBits: bytes[data - 1] ?? 0,
        data: joinBlocks(bytes, data),
      })
      at = end
    } else {
      refuseImage()
    }
  }
  return refuseImage()
}

/** The frame's own colours, once it is known to lie on the screen. */
function checkFrame(bytes: Buffer, at: number, screen: { width: number; height: number }): Buffer {
  if (at + 11 > bytes.length) refuseImage()
  const right = bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5)
  const bottom = bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7)
  if (right > screen.width || bottom > screen.height) refuseImage()
  return colourTable(bytes, at + 10, bytes[at + 9] ?? 0)
}

/** The colours that the flags announce; empty without any. */
function colourTable(bytes: Buffer, at: number, flags: number): Buffer {
  const length = (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
  if (at + length > bytes.length) refuseImage()
  return bytes.subarray(at, at + length)
}

/** Data comes in blocks of up to 255 bytes, each with its length in front; an empty one ends them. */
function endOfBlocks(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length;) {
    const length = bytes[at] ?? 0
    at += length + 1
    if (length === 0) return at
  }
  return refuseImage()
}

function joinBlocks(bytes: Buffer, from: number): Buffer {
  const parts: Buffer[] = []
  for (let at = from, length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    parts.push(bytes.subarray(at + 1, at + 1 + length))
    at += length + 1
  }
  return Buffer.concat(parts)
}
