// Time zone of the time axis: India's for its exchanges, the browser's for the rest.
import { indiaZone } from '#shared/base/india-time.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { browserZone } from '#web/features/market-data/browser-zone.ts'
import { isIndianMarket } from '#web/features/market-data/price-text.ts'

/** IANA zone. */
export function axisZone({ sessionClass }: Instrument): string {
  return isIndianMarket(sessionClass) ? indiaZone : browserZone
}
