// Brings candles into a chart's data: the live ones as they come, older ones page by page as they are wanted.
import { candlesMax } from '#shared/market/contract.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { askPatiently } from './ask-patiently.ts'
import type { CandleSource } from './candle-source.ts'
import type { ChartModel } from './chart-model.ts'
import { firstBars } from './view-window.ts'

export interface ChartFeedNeeds {
  readonly wish: { readonly slug: string; readonly timeframe: Timeframe }
  readonly source: CandleSource
  readonly model: ChartModel
  /** Bars from an index on are new or changed. */
  readonly onData: (from: number | 'all') => void
  /** So many bars came before the others. */
  readonly onOlder: (count: number) => void
  /** Whether the source has nothing before the first bar. */
  readonly onStart: (isStart: boolean) => void
  readonly onCondition: (condition: LiveCondition) => void
  readonly onConnected: (isConnected: boolean) => void
  readonly onEnded: (code: string, message: string) => void
}

export interface ChartFeed {
  /** Asks for at least so many bars before the first one, as far as one page goes, unless one is on its way or there are none. */
  fetchOlder(bars: number): void
  /** Loads older pages until there are this many candles, as far as there are any; also after all candles were replaced. */
  want(candles: number): void
  stop(): void
}

const pageBars = 2_000

export function chartFeed(needs: ChartFeedNeeds): ChartFeed {
  const { wish, source, model, onData } = needs
  let hasOlder = false
  let wanted = 0
  let isFetching = false
  let isStopped = false
  /** A page for bars that have been replaced meanwhile must not be joined with the new ones. */
  let generation = 0

  const close = source.open(
    { ...wish, bars: firstBars },
    {
      snapshot(snapshot) {
        hasOlder = snapshot.hasOlder
        generation += 1
        model.reset(snapshot.candles, snapshot.condition.sessionClass)
        needs.onCondition(snapshot.condition)
        onData('all')
        needs.onStart(typeof snapshot.startsAtMs === 'number')
        fetchWanted()
      },
      update(rows) {
        const from = model.merge(rows)
        if (from !== 'none') onData(from)
      },
      condition: needs.onCondition,
      connected: needs.onConnected,
      ended: needs.onEnded,
    },
  )

  /** Resolves to whether another page may bring what is missing. */
  async function fetchPage(toMs: number, limit: number): Promise<boolean> {
    const asked = generation
    const page = await askPatiently(
      () => source.older({ ...wish, toMs, limit }),
      () => !isStopped,
    )
    if (isStopped || asked !== generation) return !isStopped
    hasOlder = page.hasOlder
    const count = model.prepend(page.candles)
    if (count !== 0) needs.onOlder(count)
    // A page without candles ends a source whose first one is there already.
    needs.onStart(!page.hasOlder && page.startsAtMs !== undefined)
    return page.candles.length > 0
  }

  function fetchOlder(bars: number): void {
    const toMs = model.store.bars.timeMs[0]
    if (isFetching || !hasOlder || toMs === undefined || model.store.bars.length === 0) return
    isFetching = true
    const goOn = (isWorthwhile: boolean): void => {
      isFetching = false
      if (isWorthwhile) fetchWanted()
    }
    // After a failure the next pan asks again.
    fetchPage(toMs, Math.min(candlesMax, Math.max(pageBars, Math.ceil(bars)))).then(goOn, () => goOn(false))
  }

  function fetchWanted(): void {
    const missing = wanted - model.store.bars.length
    if (missing > 0) fetchOlder(missing)
  }

  return {
    fetchOlder,
    want(candles) {
      wanted = candles
      fetchWanted()
    },
    stop() {
      isStopped = true
      close()
    },
  }
}
