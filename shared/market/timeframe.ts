// Timeframes: their codes, their labels, and which instruments force one.
import type { Instrument } from './instruments.ts'

/** The ones that the selector offers, in its order. */
export const timeframes = ['1', '3', '5', '15', '30', '60', '120', '240', '1D'] as const

/** `1W` and `1M` are understood wherever a code is read, but not offered. */
export const knownTimeframes = [...timeframes, '1W', '1M'] as const

export type Timeframe = (typeof knownTimeframes)[number]

export const defaultTimeframe: Timeframe = '1'

const labels: Readonly<Record<Timeframe, string>> = {
  '1': '1m',
  '3': '3m',
  '5': '5m',
  '15': '15m',
  '30': '30m',
  '60': '1h',
  '120': '2h',
  '240': '4h',
  '1D': '1D',
  '1W': '1W',
  '1M': '1M',
}

function isTimeframe(code: string): code is Timeframe {
  return knownTimeframes.some((known) => known === code)
}

/** The timeframe of a code as it stands in an address; anything unknown or missing is the default. */
export function parseTimeframe(code: string | null | undefined): Timeframe {
  return code !== null && code !== undefined && isTimeframe(code) ? code : defaultTimeframe
}

/** Label of a code; an unknown code takes the label of the current timeframe, and without one `1m`. */
export function timeframeLabel(code: string, current?: string): string {
  if (isTimeframe(code)) return labels[code]
  return current !== undefined && isTimeframe(current) ? labels[current] : labels[defaultTimeframe]
}

const dailyOrLonger: readonly Timeframe[] = ['1D', '1W', '1M']

type Limits = Pick<Instrument, 'isDailyOnly' | 'widget'>

/** The timeframe that the chart really shows: 1D where the instrument has nothing shorter. */
export function effectiveTimeframe(instrument: Limits, chosen: Timeframe, engine: 'widget' | 'native' = 'widget'): Timeframe {
  return findTimeframeForce(instrument, chosen, engine) === undefined ? chosen : '1D'
}

/**
 * Why the chosen timeframe gives way to 1D, or undefined if it holds. `daily-only` is the product's rule
 * for its stocks; `end-of-day` is the widget's, which would draw nothing at a shorter one.
 */
export function findTimeframeForce(
  instrument: Limits,
  chosen: Timeframe,
  engine: 'widget' | 'native' = 'widget',
): 'daily-only' | 'end-of-day' | undefined {
  if (dailyOrLonger.includes(chosen)) return undefined
  if (instrument.isDailyOnly) return 'daily-only'
  return engine === 'widget' && instrument.widget === 'end-of-day' ? 'end-of-day' : undefined
}
