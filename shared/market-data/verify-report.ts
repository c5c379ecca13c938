// Report of a verification of all stored candles: findings, repairs and remaining issues.
import { z } from 'zod'

export const findingKinds = ['hole', 'contradiction', 'adjusted-rows', 'unexplained-jump'] as const

export type FindingKind = (typeof findingKinds)[number]

const findingSchema = z.object({
  series: z.string(),
  source: z.string(),
  /** Timeframe of the candles, for example 1h. */
  step: z.string(),
  kind: z.enum(findingKinds),
  /** First timestamp, and the first instant after the span, epoch milliseconds. */
  fromMs: z.number(),
  toMs: z.number(),
})

export type Finding = z.output<typeof findingSchema>

/** Maximum findings in a report; the counts include all. */
export const findingsNamedMax = 200

const countsSchema = z.object({ found: z.int(), left: z.int() })

export const verifyReportSchema = z.object({
  startedMs: z.number(),
  endedMs: z.number(),
  /** Whether a repair from the sources was attempted. */
  hasRepaired: z.boolean(),
  series: z.int(),
  candles: z.int(),
  counts: z.record(z.enum(findingKinds), countsSchema),
  /** Remaining findings, oldest first within each series. */
  left: z.array(findingSchema).max(findingsNamedMax),
})

export type VerifyReport = z.output<typeof verifyReportSchema>

/** Total number of remaining findings. */
export function leftOf({ counts }: Pick<VerifyReport, 'counts'>): number {
  return Object.values(counts).reduce((sum, { left }) => sum + left, 0)
}
