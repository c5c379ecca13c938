// What a check of all stored candles has found, and what is left of it after the repair.
import { z } from 'zod'

export const findingKinds = ['hole', 'contradiction', 'adjusted-rows', 'unexplained-jump'] as const

export type FindingKind = (typeof findingKinds)[number]

const findingSchema = z.object({
  series: z.string(),
  source: z.string(),
  /** Size of the candles, such as 1h. */
  step: z.string(),
  kind: z.enum(findingKinds),
  /** First stamp, and the first instant after it, epoch milliseconds. */
  fromMs: z.number(),
  toMs: z.number(),
})

export type Finding = z.output<typeof findingSchema>

/** Findings that a report names; it counts all. */
export const findingsNamedMax = 200

const countsSchema = z.object({ found: z.int(), left: z.int() })

export const verifyReportSchema = z.object({
  startedMs: z.number(),
  endedMs: z.number(),
  /** Whether sources were asked to mend what was found. */
  hasRepaired: z.boolean(),
  series: z.int(),
  candles: z.int(),
  counts: z.record(z.enum(findingKinds), countsSchema),
  /** Those that are left, oldest first within each series. */
  left: z.array(findingSchema).max(findingsNamedMax),
})

export type VerifyReport = z.output<typeof verifyReportSchema>

/** How many findings of all kinds are left. */
export function leftOf({ counts }: Pick<VerifyReport, 'counts'>): number {
  return Object.values(counts).reduce((sum, { left }) => sum + left, 0)
}
