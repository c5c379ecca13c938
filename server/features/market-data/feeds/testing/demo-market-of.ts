// The demo market of a series, for tests.
import { demoInstrument } from '../demo-instrument.ts'
import { demoMarket } from '../demo-market.ts'

export function demoMarketOf(series: string, seed = 'test') {
  const instrument = demoInstrument(series)
  if (instrument === undefined) throw new Error(series)
  return demoMarket(instrument, seed)
}
