// Loads candles into a chart's data: live ones as they arrive, older ones page by page on request.
import { candlesMax } from '#shared/market-data/candle-columns.ts'
import type { CandleRow, LiveCondition } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { LiveSnapshot } from '#web/features/market-data/live-listener.ts'
import { requestWithRetry } from './request-with-retry.ts'
import type { CandleSource, OlderCandles } from '#web/features/market-data/candle-source.ts'
import type { ChartModel } from './chart-model.ts'
import { firstBars } from './view-window.ts'

export interface ChartFeedOptions {
  readonly request: { readonly slug: string; readonly timeframe: Timeframe }
  readonly source: CandleSource
  readonly model: ChartModel
  /** `replace` replaces bars, and returns whether any of them differs. */
  readonly onReplace: (replace: () => boolean) => void
  /** New or changed candles, which the chart itself merges into its bars. */
  readonly onUpdate: (rows: readonly CandleRow[]) => void
  /** Called with the number of prepended bars. */
  readonly onOlder: (count: number) => void
  /** Whether the source has nothing before the first bar. */
  readonly onStart: (isStart: boolean) => void
  readonly onCondition: (condition: LiveCondition) => void
  readonly onConnected: (isConnected: boolean) => void
  readonly onEnded: (code: string, message: string) => void
}

const pageBars = 2_000

export class ChartFeed {
  readonly #options: ChartFeedOptions
  #close: () => void = () => undefined
  #hasOlder = false
  #wanted = 0
  #fetching: Promise<boolean> | undefined
  #isStopped = false
  /** A page for bars that have been replaced since must not be merged with the new ones. */
  #generation = 0
  /** Source and hours of the bars. */
  #origin = ''
  /** Bars before this time were loaded before the newest snapshot: they are shown, and loaded again. */
  #staleMs: number | undefined

  constructor(options: ChartFeedOptions) {
    this.#options = options
  }

  /** Subscribes; a source with candles in memory may call back at once. */
  open(): void {
    const { request, source, onUpdate, onCondition, onConnected, onEnded } = this.#options
    this.#close = source.open(
      { ...request, bars: firstBars },
      {
        snapshot: (snapshot) => this.#reset(snapshot),
        update: onUpdate,
        condition: onCondition,
        connected: onConnected,
        ended: onEnded,
      },
    )
  }

  /**
   * Requests at least this many bars before the first one, up to one page; returns the page in flight if there is one.
   * Resolves to whether another page may bring more.
   */
  fetchOlder(bars: number): Promise<boolean> {
    const toMs = this.#staleMs ?? this.#firstMs
    if (this.#fetching !== undefined) return this.#fetching
    if ((!this.#hasOlder && this.#staleMs === undefined) || toMs === undefined) return Promise.resolve(false)
    const goOn = (isWorthwhile: boolean): boolean => {
      this.#fetching = undefined
      if (isWorthwhile) this.#fetchWanted()
      return isWorthwhile
    }
    // After an error the next pan retries.
    const wanted = this.#staleMs === undefined ? Math.max(pageBars, Math.ceil(bars)) : this.#options.model.store.indexAt(toMs - 1) + 1
    this.#fetching = this.#fetchPage(toMs, Math.min(candlesMax, wanted)).then(goOn, () => goOn(false))
    return this.#fetching
  }

  /** Loads older pages until the chart has this many candles or history ends; also after all candles were replaced. */
  want(candles: number): void {
    this.#wanted = candles
    this.#fetchWanted()
  }

  /** Loads older pages until the chart reaches back to this time, history ends or there are `most` bars; resolves to false after an error. */
  async reach(timeMs: number, most = Number.POSITIVE_INFINITY): Promise<boolean> {
    const isMissing = (): boolean => (this.#firstMs ?? Infinity) > timeMs
    while (isMissing() && this.#options.model.store.bars.length < most && (await this.fetchOlder(candlesMax)));
    return !this.#isStopped && (!isMissing() || !this.#hasOlder)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    this.#close()
  }

  get #firstMs(): number | undefined {
    const { bars } = this.#options.model.store
    return bars.length === 0 ? undefined : bars.timeMs[0]
  }

  #reset({ candles, hasOlder, startsAtMs, condition }: LiveSnapshot): void {
    const { model, onCondition, onReplace, onStart } = this.#options
    this.#generation += 1
    const origin = JSON.stringify([condition.label, condition.sessionClass])
    const fromMs = candles[0]?.[0] ?? Number.NEGATIVE_INFINITY
    const isKept = hasOlder && origin === this.#origin && (this.#firstMs ?? Number.POSITIVE_INFINITY) < fromMs
    this.#origin = origin
    onCondition(condition)
    this.#staleMs = isKept ? fromMs : undefined
    if (isKept) onReplace(() => model.replace({ fromMs, toMs: Number.POSITIVE_INFINITY }, candles))
    else {
      this.#hasOlder = hasOlder
      onReplace(() => {
        model.reset(candles, condition.sessionClass)
        return true
      })
      onStart(typeof startsAtMs === 'number')
    }
    this.#fetchWanted()
  }

  /** Resolves to whether another page may bring the missing candles. */
  async #fetchPage(toMs: number, limit: number): Promise<boolean> {
    const { request, source, model, onOlder, onStart } = this.#options
    const isStale = this.#staleMs !== undefined
    const asked = this.#generation
    const page = await requestWithRetry(
      () => source.older({ ...request, toMs, limit, isFixed: true }),
      () => !this.#isStopped,
    )
    if (this.#isStopped || asked !== this.#generation) return !this.#isStopped
    if (isStale) return this.#replaceStale(toMs, page)
    this.#hasOlder = page.hasOlder
    const count = model.prepend(page.candles)
    if (count !== 0) onOlder(count)
    // An empty page ends the history of a source whose first candle is already loaded.
    onStart(!page.hasOlder && page.startsAtMs !== undefined)
    return page.candles.length > 0
  }

  /** Resolves to whether bars before the page are still stale. */
  #replaceStale(toMs: number, { candles, hasOlder, startsAtMs }: OlderCandles): boolean {
    const { model, onReplace, onStart } = this.#options
    const pageMs = candles[0]?.[0] ?? toMs
    const isAll = !hasOlder || pageMs <= (this.#firstMs ?? pageMs)
    this.#staleMs = isAll || candles.length === 0 ? undefined : pageMs
    const fromMs = hasOlder ? pageMs : Number.NEGATIVE_INFINITY
    onReplace(() => model.replace({ fromMs, toMs }, candles))
    if (!hasOlder) {
      this.#hasOlder = false
      onStart(startsAtMs !== undefined)
    }
    return true
  }

  #fetchWanted(): void {
    const missing = this.#wanted - this.#options.model.store.bars.length
    if (this.#staleMs !== undefined || missing > 0) void this.fetchOlder(missing)
  }
}
