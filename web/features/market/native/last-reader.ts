// The last price of the market with its countdown, which every picture asks for many times.
import type { LiveCondition } from '#shared/market/live.ts'
import { candleCountdown } from '#shared/market/sessions/candle-countdown.ts'
import type { ChartModel } from './chart-model.ts'
import type { NativeChartNeeds } from './chart-port.ts'
import type { PriceText } from './price-text.ts'
import type { LastPrice } from './forming/last-price-mark.ts'

export interface LastReader {
  /** Undefined while there is no price. */
  read(): LastPrice | undefined
  /** Price or time may have changed. */
  forget(): void
}

export interface LastReaderNeeds extends Pick<NativeChartNeeds, 'timeframe' | 'zone' | 'source' | 'clock'> {
  readonly model: ChartModel
  readonly text: PriceText
  readonly condition: () => LiveCondition | undefined
}

export function lastReader({ model, text, condition, timeframe, zone, source, clock }: LastReaderNeeds): LastReader {
  let known: { readonly last: LastPrice | undefined } | undefined

  /** Of the market, also where the style draws bars of its own. */
  function readNow(): LastPrice | undefined {
    const { bars } = model.store
    const at = bars.length - 1
    const now = condition()
    if (at < 0 || now === undefined) return undefined
    const price = bars.close[at] as number
    const state = candleCountdown(now.sessionClass, timeframe, { nowMs: clock.nowMs() + source.clockOffsetMs(), zone })
    return {
      price,
      priceText: text.price(price),
      isUp: price >= (bars.open[at] as number),
      countdownText: state.kind === 'running' ? state.text : undefined,
    }
  }

  return {
    read() {
      known ??= { last: readNow() }
      return known.last
    },
    forget: () => void (known = undefined),
  }
}
