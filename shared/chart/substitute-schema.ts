// Wire schemas of provider symbols and substitutes.
import { z } from 'zod'
import { instrumentsText } from '#shared/text/en/instruments.ts'

/** Symbol at the charting provider, for example FX:EURUSD. */
export const symbolSchema = z.string().regex(/^[A-Z0-9_]{1,20}:[A-Z0-9!&._-]{1,40}$/, instrumentsText.symbolInvalid)

export const substituteSchema = z.object({
  symbol: symbolSchema,
  /** Description for the badge. */
  title: z.string().trim().min(1, instrumentsText.titleMissing).max(60, instrumentsText.titleLong),
  widget: z.enum(['live', 'end-of-day']),
})
