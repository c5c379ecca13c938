// Converts a chosen file to the data URL of a plan: validates it and downscales large images.
import { planAdminText } from '#shared/plans/text/en-admin.ts'

export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const

const fileBytesMax = 2 * 1024 * 1024
const sideMaxPx = 1024
const compressAboveBytes = 1.4 * 1024 * 1024
const encodedCharsMax = 1_500_000

const compressQuality = 0.8

export type ImageResult =
  | { readonly isFine: true; readonly dataUrl: string; readonly wasCompressed: boolean }
  | { readonly isFine: false; readonly issue: string }

/** Never rejects; each error is a text of the specification. */
export async function readImageFile(file: File): Promise<ImageResult> {
  const early = findFileIssue(file)
  if (early !== undefined) return { isFine: false, issue: early }
  const dataUrl = await readAsDataUrl(file).catch(() => undefined)
  if (dataUrl === undefined) return { isFine: false, issue: planAdminText.imageReadError }
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return { isFine: false, issue: planAdminText.imageInvalid }
  try {
    const tooWide = findSizeIssue(bitmap)
    if (tooWide !== undefined) return { isFine: false, issue: tooWide }
    const wasCompressed = wantsCompression(file.size)
    const encoded = wasCompressed ? compress(bitmap) : dataUrl
    const tooLong = findEncodedIssue(encoded)
    return tooLong === undefined ? { isFine: true, dataUrl: encoded, wasCompressed } : { isFine: false, issue: tooLong }
  } finally {
    bitmap.close()
  }
}

function compress(bitmap: ImageBitmap): string {
  const { width, height } = fitSize(bitmap)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser cannot draw')
  // JPEG has no transparency, and a QR code needs its white background.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(bitmap, 0, 0, width, height)
  return canvas.toDataURL('image/jpeg', compressQuality)
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => (typeof reader.result === 'string' ? resolve(reader.result) : reject(new Error('unreadable'))))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })
}

/** Why a chosen file is rejected before it is read, or undefined. */
export function findFileIssue(file: { readonly size: number; readonly type: string }): string | undefined {
  if (file.size > fileBytesMax) return planAdminText.imageTooLarge
  return (imageTypes as readonly string[]).includes(file.type) ? undefined : planAdminText.imageType
}

/** Why an image of this size in pixels is rejected, or undefined. */
export function findSizeIssue({ width, height }: Size): string | undefined {
  return width > sideMaxPx || height > sideMaxPx ? planAdminText.imageDimensions : undefined
}

export function wantsCompression(fileBytes: number): boolean {
  return fileBytes > compressAboveBytes
}

/** Why an image encoded as a data URL is rejected, or undefined. */
export function findEncodedIssue(dataUrl: string): string | undefined {
  return dataUrl.length > encodedCharsMax ? planAdminText.imageStillTooLarge : undefined
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The same proportions inside a square of 1024 pixels; never enlarged. */
export function fitSize({ width, height }: Size): Size {
  const scale = Math.min(1, sideMaxPx / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
