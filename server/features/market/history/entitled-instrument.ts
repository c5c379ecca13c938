// Which instrument a person may see: one rule for the chart, its candles and the feed for chart libraries.
import { AppError } from '#shared/http/errors.ts'
import { findInstrument, type Instrument } from '#shared/market/instruments.ts'
import { httpText } from '#shared/text/en/http.ts'
import { findObstacle, type Person } from '#shared/users/access.ts'

/** Whether an admin has taken an instrument out of the product. */
export type IsHidden = (slug: string) => boolean

/** The instrument of a slug. Throws `not-found` for an unknown or hidden one, `forbidden` where it takes premium. */
export function entitledInstrument(viewer: Person, slug: string, isHidden: IsHidden): Instrument {
  const instrument = findInstrument(slug)
  if (instrument === undefined || isHidden(slug)) throw new AppError('not-found', httpText.notFound, { code: 'market.unknown-instrument' })
  if (findObstacle(instrument.isFree ? 'signed-in' : 'premium', viewer) !== undefined)
    throw new AppError('forbidden', httpText.premiumRequired, { code: 'premium-required' })
  return instrument
}
