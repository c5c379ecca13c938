// Reads a GIF's blocks: size first, then only the first frame; other frames, comments and trailing data are dropped.
import { gifPixels } from './gif-pixels.ts'
import { checkedSize, rejectImage, type Picture, type Size } from './picture.ts'

const trailer = 0x3b
const extension = 0x21
const graphicControl = 0xf9
const image = 0x2c

/** @throws AppError invalid if it is not a GIF, truncated, without a frame, or too large in pixels */
export function readGif(bytes: Buffer): Picture {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) rejectImage()
  const screen = checkedSize(bytes.readUInt16LE(6), bytes.readUInt16LE(8))
  const colours = colourTable(bytes, 13, bytes[10] ?? 0)
  let control: Buffer | undefined
  let rgba: Uint8Array | undefined
  let at = 13 + colours.length
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === trailer) {
      if (rgba === undefined) rejectImage()
      return { ...screen, rgba }
    }
    if (kind === extension) {
      const { end } = readBlocks(bytes, at + 2)
      if (bytes[at + 1] === graphicControl && end === at + 8) control = bytes.subarray(at, end)
      at = end
    } else if (kind === image) {
      const table = checkFrame(bytes, at, screen)
      const codesAt = at + 11 + table.length
      const { data, end } = readBlocks(bytes, codesAt)
      rgba ??= gifPixels(screen, {
        left: bytes.readUInt16LE(at + 1),
        top: bytes.readUInt16LE(at + 3),
        width: bytes.readUInt16LE(at + 5),
        height: bytes.readUInt16LE(at + 7),
        isInterlaced: ((bytes[at + 9] ?? 0) & 0x40) !== 0,
        colours: table.length === 0 ? colours : table,
        transparent: control !== undefined && ((control[3] ?? 0) & 1) === 1 ? control[6] : undefined,
        codeBits: bytes[codesAt - 1] ?? 0,
        data,
      })
      at = end
    } else {
      rejectImage()
    }
  }
  return rejectImage()
}

/** The frame's own colours, after checking that the frame is on the screen. */
function checkFrame(bytes: Buffer, at: number, screen: Size): Buffer {
  if (at + 11 > bytes.length) rejectImage()
  const right = bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5)
  const bottom = bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7)
  if (right > screen.width || bottom > screen.height) rejectImage()
  return colourTable(bytes, at + 10, bytes[at + 9] ?? 0)
}

/** The colour table declared by the flags; empty without one. */
function colourTable(bytes: Buffer, at: number, flags: number): Buffer {
  const length = (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
  if (at + length > bytes.length) rejectImage()
  return bytes.subarray(at, at + length)
}

/** Data comes in blocks of up to 255 bytes, each prefixed by its length; an empty one ends them. */
function readBlocks(bytes: Buffer, from: number): { data: Buffer; end: number } {
  const parts: Buffer[] = []
  for (let at = from; at < bytes.length;) {
    const length = bytes[at] ?? 0
    const next = at + 1 + length
    if (length === 0) return { data: Buffer.concat(parts), end: next }
    parts.push(bytes.subarray(at + 1, next))
    at = next
  }
  return rejectImage()
}
