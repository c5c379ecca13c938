// Client-side rules for the image of a plan.
import { planAdminText } from '#shared/text/en/admin-plans.ts'

export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const

const fileBytesMax = 2 * 1024 * 1024
const sideMaxPx = 1024
const compressAboveBytes = 1.4 * 1024 * 1024
const encodedCharsMax = 1_500_000

export const compressQuality = 0.8

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

export interface Size {
  readonly width: number
  readonly height: number
}

/** The same proportions inside a square of 1024 pixels; never enlarged. */
export function fitSize({ width, height }: Size): Size {
  const scale = Math.min(1, sideMaxPx / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
