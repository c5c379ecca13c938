// A frame of a provider's socket whose prices cannot be true.
import type { SourceName } from '../../feed.ts'
import type { Frame } from './dialect.ts'

/** Names of prices in the frames of all providers. */
const pricePattern = /"(h|high|ltp|price)":("?)([\d.]+)"?/

export const frameSpoilings = ['a placeholder', 'another unit'] as const

/** Kite's packets are binary: the price of the first one becomes negative, or a hundred times the price. */
export function spoilFrame(source: SourceName, frame: Frame, spoiling: (typeof frameSpoilings)[number]): Frame {
  const isPlaceholder = spoiling === 'a placeholder'
  if (source !== 'kite')
    return frame.toString().replace(pricePattern, (_, name: string, quote: string, price: string) => {
      return `"${name}":${quote}${isPlaceholder ? 0.0001 : Number(price) * 100}${quote}`
    })
  const bytes = Buffer.from(frame as Buffer)
  if (bytes.length >= 12) bytes.writeInt32BE(isPlaceholder ? -5 : bytes.readInt32BE(8) * 100, 8)
  return bytes
}
