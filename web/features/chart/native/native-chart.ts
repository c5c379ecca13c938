// One series on the Tezi chart: connects candles, renderer and user interaction.
import { listenerSet } from '#shared/base/listeners.ts'
import type { CandleRow, LiveCondition } from '#shared/market-data/live/contract.ts'
import { chartSurface } from './chart-surface.ts'
import type { DrawingSurface } from '#web/features/drawings/drawing-surface.ts'
import { ChartCrosshair } from './chart-crosshair.ts'
import { ChartFeed } from './chart-feed.ts'
import { ChartModel } from './chart-model.ts'
import type { ChartOptions } from './chart-options.ts'
import type { NativeChart, SeriesChartOptions } from './chart-port.ts'
import { ChartRenderer } from './chart-renderer.ts'
import { isAutoScaled, onTimeScaleDoubleClick, setAutoScaled } from './create-chart.ts'
import { goTo, type GoToOutcome } from './go-to.ts'
import { historyStart } from './history-start.ts'
import { keptPlace, type KeptPlace } from './kept-place.ts'
import { frameAt, noFrame, type BarTexts } from './legend-snapshot.ts'
import type { CrosshairLink } from './linked-crosshairs.ts'
import { paneHeights } from './pane-heights.ts'
import type { StudyDataFollower, StudyDataOptions } from './studies/follow-study-data.ts'
import type { StudyPicture } from './studies/study-setup.ts'
import { viewFollower, type ViewFollower } from './view-follower.ts'
import { newestIn, type BarRange } from './view-window.ts'

const zoomStep = 1.25

export class TeziChart implements NativeChart {
  readonly surface: DrawingSurface
  readonly crosshair: CrosshairLink
  readonly onFrame: NativeChart['onFrame']
  readonly #events: SeriesChartOptions['events']
  readonly #model: ChartModel
  readonly #renderer: ChartRenderer
  readonly #crosshair: ChartCrosshair
  readonly #studyDataOptions: StudyDataOptions
  readonly #follower: ViewFollower
  readonly #feed: ChartFeed
  readonly #place: KeptPlace
  readonly #start = historyStart(() => this.#notify())
  readonly #listeners = listenerSet()
  readonly #stops: readonly (() => void)[]
  /** Undefined until the first study is shown. */
  #studyData: StudyDataFollower | undefined
  #frame = noFrame
  #isNewestSeen = true

  constructor(given: SeriesChartOptions) {
    const { host, instrument, timeframe, source, events, clock, studies } = given
    this.#events = events
    this.onFrame = this.#listeners.add
    const model = new ChartModel(instrument, timeframe, given.options.style)
    this.#model = model
    const renderer = new ChartRenderer(given, model, { onFirst: () => this.#onFirst(), onPaint: () => this.#notify() })
    this.#renderer = renderer
    this.surface = chartSurface({ host, timeframe, model, renderer })
    this.#crosshair = new ChartCrosshair({ model, renderer, indexOf: this.surface.indexOf })
    this.crosshair = this.#crosshair.link
    this.#feed = new ChartFeed({
      request: { slug: instrument.slug, timeframe },
      source,
      model,
      onReplace: (replace) => this.#onReplace(replace),
      onUpdate: (rows) => this.#onUpdate(rows),
      onOlder: (count) => this.#onOlder(count),
      onStart: this.#start.set,
      onCondition: (condition) => this.#onCondition(condition),
      onEnded: events.ended,
      onConnected: events.connected,
    })
    this.#studyDataOptions = {
      instrument,
      timeframe,
      source,
      model,
      onData: (isAll) => this.#onIntrabars(isAll),
      onOfficial: () => this.#onOfficial(),
      wantBars: (count) => this.#feed.want(count),
    }
    this.#follower = viewFollower({
      host,
      renderer,
      onSeen: (seen) => this.#onSeen(seen),
      onEdge: (bars) => void this.#feed.fetchOlder(bars),
      onJoin: () => this.#notify(),
      onFollowed: () => this.#crosshair.stay(),
    })
    this.#place = keptPlace({
      ...given,
      slug: instrument.slug,
      view: renderer.view,
      widthPx: () => renderer.chart.timeScale().width(),
      model,
      surface: this.surface,
      reach: (timeMs) => this.#feed.reach(timeMs),
    })
    const panes = paneHeights(host, () => renderer.askLegend())
    const { view, chart } = renderer
    this.#stops = [() => panes.stop(), onTimeScaleDoubleClick(host, chart, () => view.reset()), clock.onSecond(() => renderer.onSecond())]
    this.#feed.open()
    this.#followStudies(studies)
  }

  readonly frame = () => this.#frame

  setOptions(options: ChartOptions): void {
    if (!this.#renderer.setOptions(options)) return
    this.#crosshair.forget()
    this.#notify()
  }

  setStudies(picture: StudyPicture | undefined): void {
    this.#followStudies(picture)
    this.#renderer.layers.setStudies(picture)
    this.#notify()
  }

  setMissing(times: readonly number[]): void {
    this.#model.setMissing(times)
    this.#renderer.layers.refresh()
    this.#notify()
  }

  walk(to: number | 'first' | 'last'): BarTexts | undefined {
    // A pending bar is not on the axis yet.
    this.#renderer.flush()
    this.#crosshair.walk(to)
    this.#notify()
    return this.#frame.bar
  }

  zoom(direction: 1 | -1): void {
    this.#renderer.view.zoom(direction > 0 ? 1 / zoomStep : zoomStep)
  }

  leave(): void {
    this.#crosshair.leave()
    this.#notify()
  }

  toLatest(): void {
    this.#renderer.view.latest()
  }

  goTo(timeMs: number): Promise<GoToOutcome> {
    return goTo(timeMs, { feed: this.#feed, model: this.#model, view: this.#renderer.view })
  }

  isAutoScaled(): boolean {
    return isAutoScaled(this.#renderer.chart)
  }

  setAutoScaled(isAuto: boolean): void {
    setAutoScaled(this.#renderer.chart, isAuto)
  }

  visibleBars(max: number): readonly BarTexts[] {
    const { view, texts } = this.#renderer
    const indexes = newestIn(view.seen(), { length: this.#model.shown.bars.length, max })
    return indexes.map((index) => texts.bar({ from: index, to: index + 1 }))
  }

  screenshot(): HTMLCanvasElement {
    return this.#renderer.screenshot()
  }

  stop(): void {
    this.#place.keep()
    this.#feed.stop()
    this.#studyData?.stop()
    this.#follower.stop()
    for (const stop of this.#stops) stop()
    this.#crosshair.stop()
    this.#listeners.clear()
    this.#renderer.stop()
  }

  #followStudies(picture: StudyPicture | undefined): void {
    this.#studyData ??= picture?.kit.dataOf(this.#studyDataOptions)
    this.#studyData?.follow(picture?.configs ?? [], this.#renderer.view.seen()?.from)
  }

  #onUpdate(rows: readonly CandleRow[]): void {
    const { store } = this.#model
    const [candles, bars] = [store.bars.length, this.#model.shown.bars.length]
    const from = this.#model.merge(rows)
    if (from !== 'none') this.#onBars(from, store.bars.length !== candles || this.#model.shown.bars.length !== bars)
  }

  #onReplace(replace: () => boolean): void {
    this.#place.hold(replace, () => {
      this.#onBars('all', true)
      // The library paints in this frame, which may begin with its callback.
      this.#renderer.flush()
    })
  }

  /** Bars from an index on are new or changed. */
  #onBars(from: number | 'all', hasNew: boolean): void {
    if (from === 'all' || hasNew) this.#studyData?.align(from === 'all')
    this.#renderer.layers.compute(from)
    this.#renderer.change(from)
  }

  #onOlder(count: number): void {
    this.#studyData?.align(true)
    const before = this.#crosshair.picked
    this.#renderer.prepend(count, this.#follower.motion())
    this.#crosshair.shift(before, count)
    this.#notify()
  }

  #onCondition(condition: LiveCondition): void {
    this.#renderer.setCondition(condition)
    this.#events.condition(condition)
  }

  #onIntrabars(isAll: boolean): void {
    this.#renderer.layers.refreshDelta(isAll)
    if (isAll) this.#renderer.askLegend()
    else this.#renderer.change(Math.max(0, this.#model.shown.bars.length - 1))
  }

  #onOfficial(): void {
    this.#renderer.layers.refreshPivots()
    this.#renderer.askLegend()
  }

  /** The first bars are on the screen. */
  #onFirst(): void {
    this.#events.painted()
    void this.#place.restore()
  }

  #onSeen({ from, to }: BarRange): void {
    this.#studyData?.want(from)
    this.#renderer.followPrice(from)
    this.#start.see(from)
    const isNewestSeen = to >= this.#model.shown.bars.length - 1
    if (isNewestSeen === this.#isNewestSeen) return
    this.#isNewestSeen = isNewestSeen
    this.#notify()
  }

  #notify(): void {
    const { axis, texts, layers } = this.#renderer
    const [model, picked, isStartSeen, isNewestSeen] = [this.#model, this.#crosshair.picked, this.#start.isSeen(), this.#isNewestSeen]
    this.#frame = frameAt({ model, window: axis.window, picked, texts, layers, isStartSeen, isNewestSeen })
    this.#listeners.notify()
  }
}
