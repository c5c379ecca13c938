// Compares two images pixel by pixel.
import sharp from 'sharp'

export interface PixelImage {
  readonly width: number
  readonly height: number
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8Array
}

/** Antialiased edges may be rendered slightly lighter or darker; a larger distance is another colour. */
const channelTolerance = 24

const channels = 4

/** The image in a file of any format. */
export async function readImage(file: Uint8Array): Promise<PixelImage> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data }
}

/** Indexes of the pixels of the first image that differ in the second; all of them if their sizes differ. */
export function differingPixels(one: PixelImage, other: PixelImage): readonly number[] {
  const isSameSize = one.width === other.width && one.height === other.height
  const differing: number[] = []
  for (let at = 0; at < one.width * one.height; at += 1) if (!isSameSize || !areClose(one, other, at * channels)) differing.push(at)
  return differing
}

function areClose(one: PixelImage, other: PixelImage, from: number): boolean {
  for (let at = from; at < from + channels; at += 1)
    if (Math.abs((one.pixels[at] as number) - (other.pixels[at] as number)) > channelTolerance) return false
  return true
}
