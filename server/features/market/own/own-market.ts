// The market data of one user, made from their own broker in this process: nothing of it is stored or shared.
import type { TimeSpan } from '#shared/base/time-spans.ts'
import type { Candle, DataLabel } from '#shared/market/candles/candle.ts'
import { findInstrument } from '#shared/market/instruments.ts'
import { rightsHolders } from '../bindings.ts'
import { FeedError, type Feed, type FeedClock, type FeedLog } from '../feed.ts'
import type { AdjustmentChecks } from '../gateway/adjustment-check.ts'
import type { HubBus, MarketBus } from '../gateway/bus.ts'
import { historyFiller, type HistoryFiller } from '../gateway/history-filler.ts'
import { startHub } from '../gateway/hub.ts'
import { planSeries, type Candidate, type SeriesPlan } from '../gateway/series-plan.ts'
import { candleHistory, type CandleHistory } from '../history/candle-history.ts'
import type { MarketSources } from '../history/market-sources.ts'
import type { Licences } from '../licences.ts'
import { liveRooms, type LiveRooms } from '../live/live-rooms.ts'
import { seriesViews } from '../live/series-views.ts'
import type { CandleKey } from '../store/candle-store.ts'
import { ownCandles } from './own-candles.ts'

export interface OwnMarketOptions {
  /** With the user's credentials; ends with the market. */
  readonly feed: Feed
  /** Name of the source on charts. */
  readonly title: string
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly onError: (error: unknown) => void
  readonly newEpoch: () => string
  /** Both ends of a bus inside this process. */
  readonly bus: { readonly bus: MarketBus; readonly hub: HubBus }
}

export interface OwnMarket {
  /** Whether the broker has this series. */
  covers(series: string): boolean
  readonly sources: MarketSources
  readonly history: CandleHistory
  /** Rooms of live candles; the first subscription opens the connection to the broker. */
  readonly rooms: LiveRooms
  close(): Promise<void>
}

/** A client of a broker may look at all that the broker shows. */
const ownLicences: Licences = new Map(
  rightsHolders.map((holder) => [holder, { mode: 'licensed', reference: 'own broker', delayMinutes: 0 }]),
)

/** Text of candles that is kept beside the candles. */
const chunkCandlesMax = 20_000

/** Candles that are read again each time need no comparison with what was stored before an ex-date. */
function neverStored(feed: Feed): Feed {
  const { splitHistory: _, ...others } = feed
  return others
}

const noChecks: AdjustmentChecks = { checkedFor: () => Promise.resolve(undefined), setChecked: () => Promise.resolve() }

export function ownMarket({ feed, title, clock, log, onError, newEpoch, bus: { bus, hub } }: OwnMarketOptions): OwnMarket {
  const label: DataLabel = { mode: 'live', source: title, delayMinutes: 0, proxy: null }
  const plans = { feeds: new Map([[feed.source, feed]]), licences: ownLicences, demo: undefined, clock }

  /** As for everybody, but licensed to the user by the broker, and named so. */
  function planOf(series: string): SeriesPlan | undefined {
    const plan = planSeries(plans, series, new Date(clock.now()).toISOString().slice(0, 10))
    return plan && { ...plan, candidates: plan.candidates.map((candidate) => ({ ...candidate, feed: neverStored(candidate.feed), label })) }
  }

  const candidateOf = (series: string): Candidate | undefined => planOf(series)?.candidates[0]

  const stopped = new AbortController()
  const fillers = new Map<string, HistoryFiller>()

  function fillerOf(series: string): HistoryFiller | undefined {
    const candidate = candidateOf(series)
    if (candidate === undefined) return undefined
    const writer = { write: (key: CandleKey, found: readonly Candle[], covered: TimeSpan | null) => candles.append(key, found, covered) }
    const filler = fillers.get(series) ?? historyFiller({ series, candidate, store: candles, writer, clock, signal: stopped.signal })
    fillers.set(series, filler)
    return filler
  }

  /** What the broker does not answer is missing, and asked for again later. */
  async function attempt<T>(series: string, work: (filler: HistoryFiller) => Promise<T>, otherwise: T): Promise<T> {
    const filler = fillerOf(series)
    if (filler === undefined || stopped.signal.aborted) return otherwise
    try {
      return await work(filler)
    } catch (error) {
      if (stopped.signal.aborted) return otherwise
      if (!(error instanceof FeedError)) throw error
      log('own broker: history is missing', { series, kind: error.kind })
      return otherwise
    }
  }

  const candles = ownCandles({
    refresh: ({ series, step }) =>
      attempt(series, (filler) => (filler.steps.includes(step) ? filler.refresh(step) : Promise.resolve()), undefined),
    monotonic: () => clock.monotonic(),
  })
  // What was evicted can be asked for again.
  candles.onChange(({ key, fromMs }) => void (fromMs === -Infinity && fillers.delete(key.series)))
  const running = startHub({ bus: hub, store: candles, checks: noChecks, planOf, clock, log, newEpoch })
  const history = candleHistory({
    store: candles,
    // Never asked: no series here has the source `demo`.
    demo: feed,
    policyOf: () => ({ holdBackMs: 0 }),
    extend: (series, timeframe, beforeMs) =>
      candles.hasRoom(series) ? attempt(series, (filler) => filler.extend(timeframe, beforeMs), false) : Promise.resolve(false),
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    chunkCandlesMax,
  })
  const views = seriesViews({ bus, history, clock, onError })
  const rooms = liveRooms(views, clock, 'own:')

  return {
    covers: (series) => candidateOf(series) !== undefined,
    sources: {
      // Without opening a view, so that reading history dials nothing.
      sourceOf(series) {
        const candidate = candidateOf(series)
        const sessionClass = candidate?.sessionClass ?? findInstrument(series)?.sessionClass ?? 'crypto'
        return Promise.resolve({
          source: candidate === undefined ? null : feed.source,
          label: candidate?.label ?? null,
          sessionClass,
          isStale: views.conditions().get(series)?.isStale ?? false,
          reason: null,
        })
      },
    },
    history,
    rooms,
    async close() {
      stopped.abort()
      rooms.close()
      await views.close()
      await running.close()
      await feed.close()
    },
  }
}
