// Which of the two chart engines shows an instrument: the provider's widget, or our own chart.
import type { Instrument } from './instruments.ts'
import { findTimeframeForce, type Timeframe } from './timeframe.ts'

export const enginePreferences = ['automatic', 'tradingview', 'tezi'] as const

/** What a person wants; `automatic` until he says otherwise. */
export type EnginePreference = (typeof enginePreferences)[number]

export type Engine = 'widget' | 'native'

export interface EngineWish {
  readonly preference: EnginePreference
  readonly timeframe: Timeframe
  /** Whether the widget has been asked for this instrument and did not answer, or had nothing. */
  readonly hasGivenUp: boolean
}

/**
 * The engine for an instrument. Automatic means the widget where it shows what is wanted: live, or the end of day where
 * daily candles are all that is wanted. Who wants the widget gets it wherever it carries the exchange.
 */
export function chooseEngine(instrument: Pick<Instrument, 'widget' | 'isDailyOnly'>, wish: EngineWish): Engine {
  if (wish.preference === 'tezi' || instrument.widget === 'none') return 'native'
  if (wish.preference === 'tradingview') return 'widget'
  if (wish.hasGivenUp) return 'native'
  // Where only the widget forbids the timeframe, our own chart has it.
  return findTimeframeForce(instrument, wish.timeframe, 'widget') === 'end-of-day' ? 'native' : 'widget'
}
