// Minutes per candle of intraday timeframes.
import type { Timeframe } from './timeframe.ts'

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

/** Minutes of a full candle, or undefined for 1D, 1W and 1M, whose length depends on the calendar. */
export function stepMinutesOf(timeframe: Timeframe): number | undefined {
  return stepMinutes[timeframe]
}
