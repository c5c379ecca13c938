// Parses a data URL and returns an image re-encoded by the server, with the text of its QR code.
import sharp from 'sharp'
import { AppError, type MessageOf } from '#shared/http/app-error.ts'
import { readQr, type Pixels } from './read-qr.ts'

const bytesMax = 2 * 1024 * 1024
const charactersMax = 1_500_000
const sidePxMax = 1024
/** Progressive JPEGs have about ten; each additional one is a whole pass over the pixels. */
const scansMax = 50
/** For photographs; the first that fits is used. */
const jpegQualities = [80, 60, 40]

/** libvips' names of the formats that a data URL may declare. */
const formats: Readonly<Record<string, string>> = { png: 'png', jpeg: 'jpeg', jpg: 'jpeg', gif: 'gif', webp: 'webp' }
const pngEnd = Buffer.from('49454e44ae426082', 'hex')

// libvips reads many more formats, SVG among them.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Png', 'Jpeg', 'Nsgif', 'Webp'].map((name) => `VipsForeignLoad${name}Buffer`) })

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
export async function checkPlanImage(dataUrl: string, searchCpuMs?: number): Promise<PlanImage> {
  const { format, bytes } = parseDataUrl(dataUrl)
  const pixels = await decode(bytes, format)
  const { rgba, width, height } = pixels
  const canvas = sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha()
  const png = dataUrlOf('png', await canvas.png().toBuffer())
  if (png.length <= charactersMax) return { dataUrl: png, qrText: await readQr(pixels, searchCpuMs) }
  for (const quality of jpegQualities) {
    const file = await canvas.jpeg({ quality }).toBuffer()
    const jpeg = dataUrlOf('jpeg', file)
    // The code must be readable in the image that buyers see, not only in the uploaded one.
    if (jpeg.length <= charactersMax) return { dataUrl: jpeg, qrText: await readQr(await decode(file, 'jpeg'), searchCpuMs) }
  }
  throw imageError('adminPlans.imageStillTooLarge')
}

function parseDataUrl(dataUrl: string): { format: string; bytes: Buffer } {
  const comma = dataUrl.indexOf(',')
  const type = /^data:image\/([a-z]{3,4});base64$/.exec(dataUrl.slice(0, Math.max(0, Math.min(comma, 40))))?.[1] ?? ''
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined
  if (format === undefined) throw imageError('adminPlans.imageType')
  const length = dataUrl.length - comma - 1
  if (length * 0.75 > bytesMax) throw imageError('adminPlans.imageTooLarge')
  if (dataUrl.length > charactersMax) throw imageError('adminPlans.imageStillTooLarge')
  const base64 = dataUrl.slice(comma + 1)
  if (length === 0 || length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw imageError('adminPlans.imageInvalid')
  return { format, bytes: Buffer.from(base64, 'base64') }
}

/** Decodes the first frame onto white, so that a transparent code stays readable on a dark page. */
async function decode(bytes: Buffer, declared: string): Promise<Pixels> {
  const invalid = () => imageError('adminPlans.imageInvalid')
  // Reads the header only.
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => Promise.reject(invalid()))
  if (format !== declared || !isAcceptable[format]?.(bytes, width, height)) throw invalid()
  if (width > sidePxMax || height > sidePxMax) throw imageError('adminPlans.imageDimensions')
  const rgba = await sharp(bytes, { ignoreIcc: true, limitInputPixels: sidePxMax ** 2 })
    .flatten({ background: 'white' })
    .ensureAlpha()
    .raw()
    .toBuffer()
    .catch(() => Promise.reject(invalid()))
  return { rgba, width, height }
}

/** What libvips does not check. */
const isAcceptable: Readonly<Record<string, (bytes: Buffer, width: number, height: number) => boolean>> = {
  png: (bytes) => bytes.includes(pngEnd),
  jpeg: (bytes) => bytes.toString('latin1').split('\u{ff}\u{da}').length <= scansMax + 1,
  // A frame beyond its screen would enlarge the image.
  gif: (bytes, width, height) => width === bytes.readUInt16LE(6) && height === bytes.readUInt16LE(8),
  webp: () => true,
}

function imageError(message: MessageOf): AppError {
  return new AppError('invalid', message, { fields: { qrcodeUrl: message } })
}

function dataUrlOf(type: 'png' | 'jpeg', bytes: Buffer): string {
  return `data:image/${type};base64,${bytes.toString('base64')}`
}
