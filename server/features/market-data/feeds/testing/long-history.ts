// An exchange with a day of minutes, for tests of paged histories.
import { onTestFinished } from 'vitest'
import type { Feed, HistoryRequest } from '../../feed.ts'
import type { FeedSubject } from './feed-fixture.ts'
import { manualClock } from './manual-clock.ts'
import { scriptedExchange, type ScriptedExchange } from './scripted-exchange.ts'
import { makeTrades } from './expected-candles.ts'

const startMs = Date.parse('2026-11-20T06:30:10Z')
const spanMs = 20 * 3_600_000

export interface LongHistory {
  readonly exchange: ScriptedExchange
  readonly feed: Feed
  readonly fromMs: number
  readonly toMs: number
  /** Requests all minutes and advances the clock until they arrive. */
  ask(request?: Partial<HistoryRequest>): Promise<Awaited<ReturnType<Feed['history']>>>
}

/** Twenty hours of minutes of the dialect's first symbol; closed at the end of the test. */
export async function longHistory({ dialect, make }: FeedSubject): Promise<LongHistory> {
  const clock = manualClock(startMs)
  const [symbol] = dialect.symbols
  const fromMs = startMs - spanMs
  const trades = makeTrades({ fromMs, toMs: startMs, price: 100, seed: 5, sessionClass: dialect.sessionClass })
  const exchange = await scriptedExchange({ dialect, clock, trades: { [symbol]: trades } })
  const feed = make({ restUrl: exchange.restUrl, socketUrl: exchange.socketUrl, clock, log: () => undefined })
  onTestFinished(async () => {
    await feed.close()
    await exchange.close()
  })
  return {
    exchange,
    feed,
    fromMs,
    toMs: startMs,
    async ask(request = {}) {
      const asked = feed.history({ symbol, step: '1m', fromMs, toMs: startMs, ...request })
      await exchange.play(20_000)
      return asked
    },
  }
}
