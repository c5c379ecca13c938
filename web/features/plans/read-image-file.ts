// Turns a chosen file into the data URL of a plan: checks it, and makes a large one smaller.
import { planText } from '#shared/text/en/plans.ts'
import { compressQuality, findEncodedFault, findFileFault, findSizeFault, fitSize, wantsCompression } from './image-rules.ts'

export type ImageOutcome =
  | { readonly isFine: true; readonly dataUrl: string; readonly wasCompressed: boolean }
  | { readonly isFine: false; readonly fault: string }

/** Never rejects; each fault is a sentence of the spec. */
export async function readImageFile(file: File): Promise<ImageOutcome> {
  const early = findFileFault(file)
  if (early !== undefined) return { isFine: false, fault: early }
  const dataUrl = await readAsDataUrl(file).catch(() => undefined)
  if (dataUrl === undefined) return { isFine: false, fault: planText.imageReadError }
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return { isFine: false, fault: planText.imageInvalid }
  try {
    const tooWide = findSizeFault(picture)
    if (tooWide !== undefined) return { isFine: false, fault: tooWide }
    const wasCompressed = wantsCompression(file.size)
    const encoded = wasCompressed ? compress(picture) : dataUrl
    const tooLong = findEncodedFault(encoded)
    return tooLong === undefined ? { isFine: true, dataUrl: encoded, wasCompressed } : { isFine: false, fault: tooLong }
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
  // JPEG has no transparency, and a QR code needs its white ground.
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
