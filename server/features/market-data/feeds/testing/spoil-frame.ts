// A frame of a provider's socket whose prices cannot be true.
import type { SourceName } from '../../feed.ts'
import type { Frame } from './dialect.ts'

/** Names of prices in the frames of all providers. */
const pricePattern = /"(h|high|ltp|price)":("?)[\d.]+"?/

/** Kite's packets are binary: the price of the first one becomes negative. */
export function spoilFrame(source: SourceName, frame: Frame): Frame {
  if (source !== 'kite') return frame.toString().replace(pricePattern, '"$1":$20.0001$2')
  const bytes = Buffer.from(frame as Buffer)
  if (bytes.length >= 12) bytes.writeInt32BE(-5, 8)
  return bytes
}
