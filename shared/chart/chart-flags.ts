// The six premium toggles: flag names of the specification, Chart 1 to Chart 6 in this order.
import { z } from 'zod'

export const chartFlagNames = [
  'blockPressure',
  'volumeDelta',
  'zigZag',
  'pivotpoint',
  'renkoSRvolume',
  'pricePercentageShadedCandel',
] as const

export type ChartFlag = (typeof chartFlagNames)[number]

export const chartFlagsSchema = z.object({
  blockPressure: z.boolean(),
  volumeDelta: z.boolean(),
  zigZag: z.boolean(),
  pivotpoint: z.boolean(),
  renkoSRvolume: z.boolean(),
  pricePercentageShadedCandel: z.boolean(),
  /** On the wire, but without a toggle. */
  error_level: z.boolean().default(false),
})

export type ChartFlags = z.output<typeof chartFlagsSchema>

export const noChartFlags: ChartFlags = {
  blockPressure: false,
  volumeDelta: false,
  zigZag: false,
  pivotpoint: false,
  renkoSRvolume: false,
  pricePercentageShadedCandel: false,
  error_level: false,
}
