// Files that a user would choose for a plan's QR image, valid ones of each kind and fakes.
import { randomBytes } from 'node:crypto'
import { pngChunk, qrFile, upiText, type ImageFormat } from '../../server/testing/images.ts'

export interface ChosenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export async function qrImage(format: ImageFormat, widthPx = 300): Promise<ChosenFile> {
  return { name: `qr.${format}`, mimeType: `image/${format}`, buffer: await qrFile(upiText, format, widthPx) }
}

/** A readable QR code padded by this number of bytes. */
export async function heavyQrImage(bytes: number): Promise<ChosenFile> {
  const { buffer, ...file } = await qrImage('png')
  const afterHeader = 33
  const ballast = pngChunk('teSt', randomBytes(bytes))
  return { ...file, buffer: Buffer.concat([buffer.subarray(0, afterHeader), ballast, buffer.subarray(afterHeader)]) }
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>'

export const svgFile: ChosenFile = { name: 'qr.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) }
export const svgNamedPng: ChosenFile = { name: 'qr.png', mimeType: 'image/png', buffer: Buffer.from(svg) }
export const textFile: ChosenFile = { name: 'qr.txt', mimeType: 'text/plain', buffer: Buffer.from('upi://pay?pa=shop@okaxis') }
export const textNamedPng: ChosenFile = { ...textFile, name: 'qr.png', mimeType: 'image/png' }
