// Timeframes: their codes, labels and minutes.

/** Timeframes in the selector, in order. */
export const timeframes = ['1', '3', '5', '15', '30', '60', '120', '240', '1D'] as const

/** `1W` and `1M` are parsed everywhere, but not in the selector. */
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

const stepMinutes: Readonly<Partial<Record<Timeframe, number>>> = {
  '1': 1,
  '3': 3,
  '5': 5,
  '15': 15,
  '30': 30,
  '60': 60,
  '120': 120,
  '240': 240,
}

function isTimeframe(code: string): code is Timeframe {
  return knownTimeframes.some((known) => known === code)
}

/** The timeframe of a code in an address; anything unknown or missing gives the default. */
export function parseTimeframe(code: string | null | undefined): Timeframe {
  return code !== null && code !== undefined && isTimeframe(code) ? code : defaultTimeframe
}

/** Label of a code; an unknown code has the label of the current timeframe, and without one `1m`. */
export function timeframeLabel(code: string, current?: string): string {
  if (isTimeframe(code)) return labels[code]
  return current !== undefined && isTimeframe(current) ? labels[current] : labels[defaultTimeframe]
}

/** Whether a candle lasts a trading day or longer. */
export function isDailyOrLonger(timeframe: Timeframe): boolean {
  return timeframe === '1D' || timeframe === '1W' || timeframe === '1M'
}

/** Minutes of a full candle, or undefined for 1D, 1W and 1M, whose length depends on the calendar. */
export function stepMinutesOf(timeframe: Timeframe): number | undefined {
  return stepMinutes[timeframe]
}
