// The market data of one user's own broker, in this process only: nothing is stored or shared.
import type { DataLabel } from '#shared/candles/candle.ts'
import { missingCandlesMax, type MissingCandles } from '#shared/chart/missing-candles.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import { FeedError, stepMs, type Feed, type FeedClock, type FeedLog } from '../feed.ts'
import type { AdjustmentChecks } from '../gateway/check-adjustment.ts'
import type { HubBus, MarketBus } from '../gateway/market-bus.ts'
import { HistoryFiller } from '../gateway/history-filler.ts'
import { startHub, type Hub } from '../gateway/hub.ts'
import { planSeries, type SeriesSource, type SeriesPlan } from '../gateway/series-plan.ts'
import { CandleHistory } from '../history/candle-history.ts'
import type { MarketSources } from '../history/candles-service.ts'
import { rightsHolders } from '../source-bindings.ts'
import type { Licences } from '../licences.ts'
import { BroadcastChannels } from '../live/broadcast-channel.ts'
import { SeriesViews } from '../live/series-view.ts'
import { BrokerCandles } from './broker-candles.ts'
import { connectionRows, type ConnectionRows, type UserRejections } from './broker-rejections.ts'

export interface BrokerMarketOptions {
  /** With the user's credentials; closed with the market. */
  readonly feed: Feed
  /** Display name of the source. */
  readonly title: string
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly onError: (error: unknown) => void
  readonly newEpoch: () => string
  /** What this user's broker sent and what cannot be true. */
  readonly rejections: UserRejections
  /** Both ends of an in-process bus. */
  readonly bus: { readonly bus: MarketBus; readonly hub: HubBus }
}

/** A broker's client may see all its instruments. */
const brokerLicences: Licences = new Map(
  rightsHolders.map((holder) => [holder, { mode: 'licensed', reference: 'own broker', delayMinutes: 0 }]),
)

/** Maximum candles whose text is cached. */
const chunkCandlesMax = 20_000

/** Candles that are reread each time need no ex-date comparison. */
function neverStored(feed: Feed): Feed {
  const { splitHistory: _, ...others } = feed
  return others
}

const noChecks: AdjustmentChecks = { checkedFor: () => Promise.resolve(undefined), setChecked: () => Promise.resolve() }

export class BrokerMarket {
  readonly #options: BrokerMarketOptions
  readonly #label: DataLabel
  readonly #stopped = new AbortController()
  readonly #fillers = new Map<string, HistoryFiller>()
  readonly #candles = new BrokerCandles({
    refresh: ({ series, step }) =>
      this.#attempt(series, (filler) => (filler.steps.includes(step) ? filler.refresh(step) : Promise.resolve()), undefined),
    monotonic: () => this.#options.clock.monotonic(),
  })
  readonly #rejectedRows: ConnectionRows
  readonly #hub: Hub
  readonly history: CandleHistory
  readonly #views: SeriesViews
  /** Channels of live candles; the first subscription connects to the broker. */
  readonly channels: BroadcastChannels
  readonly sources: MarketSources = {
    // Without opening a view, so that reading history does not connect.
    sourceOf: (series) => {
      const candidate = this.#candidateOf(series)
      const sessionClass = candidate?.sessionClass ?? findInstrument(series)?.sessionClass ?? 'crypto'
      return Promise.resolve({
        source: candidate === undefined ? null : this.#options.feed.source,
        label: candidate?.label ?? null,
        sessionClass,
        reason: null,
      })
    },
  }

  constructor(options: BrokerMarketOptions) {
    this.#options = options
    this.#rejectedRows = connectionRows(options.rejections.rows)
    this.#label = { mode: 'live', source: options.title, delayMinutes: 0, proxy: null }
    // Evicted candles can be requested again.
    this.#candles.onChange(({ key, fromMs }) => {
      if (fromMs !== -Infinity) return
      this.#fillers.delete(key.series)
      this.#rejectedRows.forget(key.series)
    })
    this.#hub = startHub({
      bus: options.bus.hub,
      store: this.#candles,
      checks: noChecks,
      rejectedRows: this.#rejectedRows,
      rejectedMessages: options.rejections.messages,
      planOf: (series) => this.#planOf(series),
      clock: options.clock,
      log: options.log,
      newEpoch: options.newEpoch,
    })
    this.history = new CandleHistory({
      store: this.#candles,
      // Unused: no series here has the source `demo`.
      demo: options.feed,
      delayMsOf: () => 0,
      extend: (series, timeframe, beforeMs) =>
        this.#candles.hasCapacity(series)
          ? this.#attempt(series, (filler) => filler.extend(timeframe, beforeMs), false)
          : Promise.resolve(false),
      now: () => options.clock.now(),
      monotonic: () => options.clock.monotonic(),
      chunkCandlesMax,
    })
    this.#views = new SeriesViews({ bus: options.bus.bus, history: this.history, clock: options.clock, onError: options.onError })
    this.channels = new BroadcastChannels(this.#views, options.clock, 'own:')
  }

  /** Whether the broker has this series. */
  covers(series: string): boolean {
    return this.#candidateOf(series) !== undefined
  }

  /** The newest candles of a series that stay missing. */
  async missing(series: string): Promise<MissingCandles[]> {
    const { feed, title, rejections } = this.#options
    const found = await Promise.all(
      feed.steps.map(async (step) =>
        (await rejections.rows.list({ series, source: feed.source, step }))
          .filter(({ isSettled }) => isSettled)
          .map(({ fromMs }) => ({ source: title, fromMs, stepMs: stepMs[step] })),
      ),
    )
    return found
      .flat()
      .toSorted((one, other) => other.fromMs - one.fromMs)
      .slice(0, missingCandlesMax)
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    this.channels.close()
    await this.#views.close()
    await this.#hub.close()
    await this.#options.feed.close()
  }

  /** The shared plan, but licensed to the user by the broker, and labelled so. */
  #planOf(series: string): SeriesPlan | undefined {
    const { feed, clock } = this.#options
    const plans = { feeds: new Map([[feed.source, feed]]), licences: brokerLicences, demo: undefined, clock }
    const plan = planSeries(plans, series, new Date(clock.now()).toISOString().slice(0, 10))
    return (
      plan && {
        ...plan,
        candidates: plan.candidates.map((candidate) => ({ ...candidate, feed: neverStored(candidate.feed), label: this.#label })),
      }
    )
  }

  #candidateOf(series: string): SeriesSource | undefined {
    return this.#planOf(series)?.candidates[0]
  }

  #fillerOf(series: string): HistoryFiller | undefined {
    const candidate = this.#candidateOf(series)
    if (candidate === undefined) return undefined
    const filler =
      this.#fillers.get(series) ??
      new HistoryFiller({
        series,
        candidate,
        store: this.#candles,
        rejectedRows: this.#rejectedRows,
        writer: { write: this.#candles.append.bind(this.#candles) },
        clock: this.#options.clock,
        signal: this.#stopped.signal,
        onHoleFilled: () => this.#hub.replaced(series),
      })
    this.#fillers.set(series, filler)
    return filler
  }

  /** Data that the broker did not return is requested again later. */
  async #attempt<T>(series: string, work: (filler: HistoryFiller) => Promise<T>, otherwise: T): Promise<T> {
    const filler = this.#fillerOf(series)
    if (filler === undefined || this.#stopped.signal.aborted) return otherwise
    try {
      return await work(filler)
    } catch (error) {
      if (this.#stopped.signal.aborted) return otherwise
      if (!(error instanceof FeedError)) throw error
      this.#options.log('own broker: history is missing', { series, kind: error.kind })
      return otherwise
    }
  }
}
