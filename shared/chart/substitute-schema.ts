// Wire schemas of provider symbols and substitutes.
import { z } from 'zod'
import { sessionClasses } from '#shared/trading-hours/session-class.ts'
import type { MessageCode } from '#shared/messages/message.ts'

/** Symbol at the charting provider, for example FX:EURUSD. */
export const symbolSchema = z.string().regex(/^[A-Z0-9_]{1,20}:[A-Z0-9!&._-]{1,40}$/, 'instruments.symbolInvalid' satisfies MessageCode)

export const substituteSchema = z.object({
  symbol: symbolSchema,
  /** Description for the badge. */
  title: z
    .string()
    .trim()
    .min(1, 'instruments.titleMissing' satisfies MessageCode)
    .max(60, 'instruments.titleLong' satisfies MessageCode),
  widget: z.enum(['live', 'end-of-day']),
  /** Its own trading hours; null if unknown. */
  sessionClass: z.enum(sessionClasses).nullable().default(null),
})
