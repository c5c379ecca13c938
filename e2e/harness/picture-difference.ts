// How far two pictures are from each other, pixel by pixel, and a third one that shows where.
import { Transformer } from '@napi-rs/image'

export interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly pixels: Uint8Array
}

/** The edge of a letter or of a slanted line may come out a little lighter or darker; what is further away is another colour. */
const channelTolerance = 24

const channels = 4
const [opaque, red] = [255, 255]

/** The picture in a file of any format. */
export async function readPicture(file: Uint8Array): Promise<Picture> {
  const image = new Transformer(file)
  const { width, height } = await image.metadata()
  const raw = await image.rawPixels()
  const rawChannels = raw.length / (width * height)
  if (rawChannels === channels) return { width, height, pixels: raw }
  // A file without transparent pixels leaves their opacity out.
  const pixels = new Uint8Array(width * height * channels).fill(opaque)
  for (let at = 0; at < width * height; at += 1)
    for (let part = 0; part < rawChannels; part += 1) pixels[at * channels + part] = raw[at * rawChannels + part] as number
  return { width, height, pixels }
}

/** Numbers of the pixels of the first picture that look otherwise in the second; all of them where their sizes differ. */
export function differingPixels(one: Picture, other: Picture): readonly number[] {
  const isSameSize = one.width === other.width && one.height === other.height
  const differing: number[] = []
  for (let at = 0; at < one.width * one.height; at += 1) if (!isSameSize || !areClose(one, other, at * channels)) differing.push(at)
  return differing
}

function areClose(one: Picture, other: Picture, from: number): boolean {
  for (let at = from; at < from + channels; at += 1)
    if (Math.abs((one.pixels[at] as number) - (other.pixels[at] as number)) > channelTolerance) return false
  return true
}

/** The picture, dark, with these pixels in red. */
export function markPixels({ width, height, pixels }: Picture, marked: readonly number[]): Picture {
  const shown = pixels.map((value, at) => (at % channels === channels - 1 ? opaque : value >> 2))
  for (const at of marked) shown.set([red, 0, 0], at * channels)
  return { width, height, pixels: shown }
}
