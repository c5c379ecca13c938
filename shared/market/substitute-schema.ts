// Symbols of the charting provider on the wire, and the substitutes that go by them.
import { z } from 'zod'
import { instrumentsText } from '#shared/text/en/instruments.ts'

/** Symbol of the charting provider, such as FX:EURUSD. */
export const symbolSchema = z.string().regex(/^[A-Z0-9_]{1,20}:[A-Z0-9!&._-]{1,40}$/, instrumentsText.symbolInvalid)

export const substituteSchema = z.object({
  symbol: symbolSchema,
  /** What it is, for the badge. */
  title: z.string().trim().min(1, instrumentsText.titleMissing).max(60, instrumentsText.titleLong),
  widget: z.enum(['live', 'end-of-day']),
})
