// Converts a chosen file to the data URL of a plan: validates it and downscales large images.
import { planAdminText } from '#shared/text/en/admin-plans.ts'
import { compressQuality, findEncodedIssue, findFileIssue, findSizeIssue, fitSize, wantsCompression } from './image-rules.ts'

export type ImageOutcome =
  | { readonly isFine: true; readonly dataUrl: string; readonly wasCompressed: boolean }
  | { readonly isFine: false; readonly issue: string }

/** Never rejects; each error is a text of the specification. */
export async function readImageFile(file: File): Promise<ImageOutcome> {
  const early = findFileIssue(file)
  if (early !== undefined) return { isFine: false, issue: early }
  const dataUrl = await readAsDataUrl(file).catch(() => undefined)
  if (dataUrl === undefined) return { isFine: false, issue: planAdminText.imageReadError }
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return { isFine: false, issue: planAdminText.imageInvalid }
  try {
    const tooWide = findSizeIssue(picture)
    if (tooWide !== undefined) return { isFine: false, issue: tooWide }
    const wasCompressed = wantsCompression(file.size)
    const encoded = wasCompressed ? compress(picture) : dataUrl
    const tooLong = findEncodedIssue(encoded)
    return tooLong === undefined ? { isFine: true, dataUrl: encoded, wasCompressed } : { isFine: false, issue: tooLong }
  } finally {
    picture.close()
  }
}

function compress(picture: ImageBitmap): string {
  const { width, height } = fitSize(picture)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const brush = canvas.getContext('2d')
  if (brush === null) throw new Error('The browser cannot draw')
  // JPEG has no transparency, and a QR code needs its white background.
  brush.fillStyle = '#fff'
  brush.fillRect(0, 0, width, height)
  brush.drawImage(picture, 0, 0, width, height)
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
