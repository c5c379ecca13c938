// Images generated in code: QR codes in the four formats, and fake files.
import { crc32, deflateSync } from 'node:zlib'
import { toBuffer } from 'qrcode'
import sharp from 'sharp'

export const upiText = 'upi://pay?pa=shop@okaxis&pn=Tezi%20Charts&cu=INR'

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp'

/** A QR code as a file of a format. */
export async function qrFile(text: string, format: ImageFormat = 'png', widthPx = 300): Promise<Buffer> {
  const png = await toBuffer(text, { width: widthPx })
  if (format === 'png') return png
  if (format === 'jpeg') return sharp(png).jpeg().toBuffer()
  if (format === 'webp') return sharp(png).webp({ lossless: true }).toBuffer()
  const grey = await sharp(png).greyscale().raw().toBuffer()
  return gifFile(widthPx, widthPx, [[...grey].map((value) => value < 128)])
}

/** A QR code as a data URL. */
export async function qrDataUrl(text: string = upiText, format: ImageFormat = 'png'): Promise<string> {
  return dataUrlOf(await qrFile(text, format), format)
}

export function dataUrlOf(bytes: Uint8Array, format: string): string {
  return `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`
}

export function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
}

/** One chunk of a PNG. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

/** A grey PNG with any declared size, pixel data `raw` and extra chunks before it. */
export function pngFile(width: number, height: number, raw: Uint8Array, chunks: readonly Buffer[] = []): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.of(8, 0, 0, 0, 0)])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', deflateSync(raw)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF of black and white frames, compressed with codes of up to twelve bits as real ones are. */
export function gifFile(width: number, height: number, frames: readonly (readonly boolean[])[]): Buffer {
  const head = Buffer.concat([Buffer.from('GIF89a'), uint16(width), uint16(height), Buffer.of(0x80, 0, 0, 255, 255, 255, 0, 0, 0)])
  const descriptor = Buffer.concat([Buffer.of(0x2c, 0, 0, 0, 0), uint16(width), uint16(height), Buffer.of(0)])
  const control = Buffer.of(0x21, 0xf9, 4, 0, 1, 0, 0, 0)
  return Buffer.concat([head, ...frames.flatMap((frame) => [control, descriptor, Buffer.of(2), ...blocksOf(lzw(frame))]), Buffer.of(0x3b)])
}

const clearCode = 4
const endCode = 5

function lzw(pixels: readonly boolean[]): Buffer {
  const codes: [code: number, bits: number][] = [[clearCode, 3]]
  let known = new Map<string, number>()
  let bits = 3
  let next = endCode + 1
  const codeOf = (text: string) => (text.length === 1 ? Number(text) : (known.get(text) ?? 0))
  let text = ''
  for (const isDark of pixels) {
    const longer = text + (isDark ? '1' : '0')
    if (longer.length === 1 || known.has(longer)) {
      text = longer
      continue
    }
    codes.push([codeOf(text), bits])
    known.set(longer, next)
    if (next === 2 ** bits) bits += 1
    next += 1
    if (next === 4096) {
      codes.push([clearCode, bits])
      known = new Map()
      bits = 3
      next = endCode + 1
    }
    text = longer.slice(-1)
  }
  codes.push([codeOf(text), bits], [endCode, bits])
  return packed(codes)
}

/** Codes of an LZW stream as bytes, lowest bit first. */
function packed(codes: readonly (readonly [code: number, bits: number])[]): Buffer {
  const bytes: number[] = []
  let held = 0
  let heldBits = 0
  for (const [code, bits] of codes) {
    held |= code << heldBits
    heldBits += bits
    for (; heldBits >= 8; heldBits -= 8, held >>>= 8) bytes.push(held & 0xff)
  }
  return Buffer.from([...bytes, held & 0xff])
}

/** Data as GIF blocks, with the empty one at the end. */
function blocksOf(data: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255)
    blocks.push(Buffer.of(part.length), part)
  }
  return [...blocks, Buffer.of(0)]
}

function uint16(value: number): Buffer {
  return Buffer.of(value & 0xff, value >> 8)
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
