// Compares two images pixel by pixel.
import { Transformer } from '@napi-rs/image'

export interface PixelImage {
  readonly width: number
  readonly height: number
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8Array
}

/** Antialiased edges may be rendered slightly lighter or darker; a larger distance is another colour. */
const channelTolerance = 24

const channels = 4
const opaque = 255

/** The image in a file of any format. */
export async function readImage(file: Uint8Array): Promise<PixelImage> {
  const image = new Transformer(file)
  const { width, height } = await image.metadata()
  const raw = await image.rawPixels()
  const rawChannels = raw.length / (width * height)
  if (rawChannels === channels) return { width, height, pixels: raw }
  // A file without transparent pixels has no alpha channel.
  const pixels = new Uint8Array(width * height * channels).fill(opaque)
  for (let at = 0; at < width * height; at += 1)
    for (let part = 0; part < rawChannels; part += 1) pixels[at * channels + part] = raw[at * rawChannels + part] as number
  return { width, height, pixels }
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
