// Which instruments a user may see: one rule for the chart and its candles.
import { AppError } from '#shared/http/app-error.ts'
import { findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import { findAccessRestriction, type Person } from '#shared/users/access-restriction.ts'

/** Whether an admin has hidden an instrument. */
export type IsHidden = (slug: string) => boolean

/** The instrument of a slug. Throws `not-found` for an unknown or hidden one, `forbidden` if it needs premium. */
export function entitledInstrument(viewer: Person, slug: string, isHidden: IsHidden): Instrument {
  const instrument = findInstrument(slug)
  if (instrument === undefined || isHidden(slug)) throw new AppError('not-found', 'instruments.unknown')
  if (findAccessRestriction(instrument.isFree ? 'signed-in' : 'premium', viewer) !== undefined)
    throw new AppError('forbidden', 'http.premiumRequired')
  return instrument
}
