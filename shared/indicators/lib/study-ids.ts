// Study ids: the six of the premium toggles, then the others.
import { chartFlagNames } from '#shared/chart/chart-flags.ts'

/** Switched individually, besides the six toggles. */
export const classicIds = ['sma', 'ema', 'rsi', 'macd', 'bollinger', 'vwap', 'atr', 'supertrend'] as const

export type ClassicId = (typeof classicIds)[number]

export const studyIds = [...chartFlagNames, ...classicIds] as const

export type StudyId = (typeof studyIds)[number]
