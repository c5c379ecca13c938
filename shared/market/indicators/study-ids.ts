// Which studies there are: the six of the premium toggles, then the classics.
import { chartFlagNames } from '../chart-flags.ts'

/** Switched one by one, beside the six toggles. */
export const classicIds = ['sma', 'ema', 'rsi', 'macd', 'bollinger', 'vwap', 'atr', 'supertrend'] as const

export type ClassicId = (typeof classicIds)[number]

export const studyIds = [...chartFlagNames, ...classicIds] as const

export type StudyId = (typeof studyIds)[number]
