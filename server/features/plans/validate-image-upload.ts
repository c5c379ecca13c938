// Parses a data URL and returns an image re-encoded by the server, with the text of its QR code.
import { Transformer } from '@napi-rs/image'
import { readGif } from './image/gif.ts'
import { readJpeg } from './image/jpeg.ts'
import { imageError, type Picture } from './image/picture.ts'
import { readPng } from './image/png.ts'
import { readQr, type Pixels } from './image/read-qr.ts'
import { readWebp } from './image/webp.ts'

const bytesMax = 2 * 1024 * 1024
const charactersMax = 1_500_000
/** For photographs; the first that fits is used. */
const jpegQualities = [80, 60, 40]

const readers: Readonly<Record<string, (bytes: Buffer) => Picture>> = {
  png: readPng,
  jpeg: readJpeg,
  jpg: readJpeg,
  gif: readGif,
  webp: readWebp,
}

export interface PlanImage {
  /** Data URL of the re-encoded image. */
  readonly dataUrl: string
  /** Text of its QR code; null without one. */
  readonly qrText: string | null
}

/**
 * Validates an image by its bytes and re-encodes its pixels, which drops trailing data, metadata, scripts and animation.
 * The result is a PNG, or a JPEG if the PNG of a photograph would be too large. Nothing is ever fetched.
 * The search for the QR code stops after `searchCpuMs` of processor time.
 * @throws AppError invalid with the message of the first violated rule
 */
export async function checkPlanImage(sent: string, searchCpuMs?: number): Promise<PlanImage> {
  const { read, bytes } = takeApart(sent)
  const pixels = await decode(read(bytes))
  const canvas = () => Transformer.fromRgbaPixels(pixels.rgba, pixels.width, pixels.height)
  const png = toDataUrl('png', await canvas().png())
  if (png.length <= charactersMax) return { dataUrl: png, qrText: await readQr(pixels, searchCpuMs) }
  for (const quality of jpegQualities) {
    const file = await canvas().jpeg(quality)
    const dataUrl = toDataUrl('jpeg', file)
    // The code must be readable in the image that buyers see, not only in the uploaded one.
    if (dataUrl.length <= charactersMax) return { dataUrl, qrText: await readQr(await decode(readJpeg(file)), searchCpuMs) }
  }
  throw imageError('adminPlans.imageStillTooLarge')
}

function takeApart(dataUrl: string): { read: (bytes: Buffer) => Picture; bytes: Buffer } {
  const comma = dataUrl.indexOf(',')
  const type = /^data:image\/([a-z]{3,4});base64$/.exec(dataUrl.slice(0, Math.max(0, Math.min(comma, 40))))?.[1] ?? ''
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  if (read === undefined) throw imageError('adminPlans.imageType')
  const length = dataUrl.length - comma - 1
  if (length * 0.75 > bytesMax) throw imageError('adminPlans.imageTooLarge')
  if (dataUrl.length > charactersMax) throw imageError('adminPlans.imageStillTooLarge')
  const base64 = dataUrl.slice(comma + 1)
  if (length === 0 || length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw imageError('adminPlans.imageInvalid')
  return { read, bytes: Buffer.from(base64, 'base64') }
}

/** Decodes onto white, so that a transparent code stays readable on a dark page. */
async function decode(picture: Picture): Promise<Pixels> {
  const { width, height } = picture
  if ('rgba' in picture) return picture
  const white = new Uint8Array(width * height * 4).fill(255)
  try {
    return { rgba: await Transformer.fromRgbaPixels(white, width, height).overlay(picture.file, 0, 0).rawPixels(), width, height }
  } catch {
    throw imageError('adminPlans.imageInvalid')
  }
}

function toDataUrl(type: 'png' | 'jpeg', bytes: Buffer): string {
  return `data:image/${type};base64,${bytes.toString('base64')}`
}
