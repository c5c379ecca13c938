// The rules for the image of a plan, as far as they can be judged before the server sees it.
import { planText } from '#shared/text/en/plans.ts'

export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const

const fileBytesMax = 2 * 1024 * 1024
const sideMaxPx = 1024
const compressAboveBytes = 1.4 * 1024 * 1024
const encodedCharsMax = 1_500_000

export const compressQuality = 0.8

/** What forbids a chosen file before it is even read, or undefined. */
export function findFileFault(file: { readonly size: number; readonly type: string }): string | undefined {
  if (file.size > fileBytesMax) return planText.imageTooLarge
  return (imageTypes as readonly string[]).includes(file.type) ? undefined : planText.imageType
}

/** What forbids an image of this size in pixels, or undefined. */
export function findSizeFault({ width, height }: Size): string | undefined {
  return width > sideMaxPx || height > sideMaxPx ? planText.imageDimensions : undefined
}

export function wantsCompression(fileBytes: number): boolean {
  return fileBytes > compressAboveBytes
}

/** What forbids an image that is encoded as a data URL, or undefined. */
export function findEncodedFault(dataUrl: string): string | undefined {
  return dataUrl.length > encodedCharsMax ? planText.imageStillTooLarge : undefined
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** The same proportions inside a square of 1024 pixels; never larger than it was. */
export function fitSize({ width, height }: Size): Size {
  const scale = Math.min(1, sideMaxPx / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
