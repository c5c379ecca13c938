// Renders one series on the library's chart: series, overlays, layers and view in this order. Paints at most once a frame, and never in a hidden tab.
import type { IChartApi } from 'lightweight-charts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { AxisTimes } from './axis-times.ts'
import { readColours } from './chart-colours.ts'
import { ChartLayers } from './chart-layers.ts'
import type { ChartModel } from './chart-model.ts'
import type { ChartOptions, ChartState } from './chart-options.ts'
import type { SeriesChartOptions } from './chart-port.ts'
import { chartTexts, type ChartTexts } from './chart-texts.ts'
import { setLooks, setPriceScale, themeOf } from './create-chart.ts'
import { FrameScheduler, type Changed } from './frame-scheduler.ts'
import { LastPriceReader } from './primitives/last-price-mark.ts'
import { PaneOverlays } from './live-bar/pane-overlays.ts'
import { priceAxis, type PriceAxis } from './price-axis.ts'
import type { Motion } from './view-window.ts'
import { WindowedView } from './windowed-view.ts'

/** Visible bars after a change to another kind of bars. */
const freshView = 150

export interface RendererEvents {
  /** The first bars are on the screen. */
  readonly onFirst: () => void
  /** After every paint, also where only the legend changes. */
  readonly onPaint: () => void
}

export class ChartRenderer {
  readonly texts: ChartTexts
  readonly axis: AxisTimes
  readonly chart: IChartApi
  readonly layers: ChartLayers
  readonly view: WindowedView
  readonly #model: ChartModel
  readonly #events: RendererEvents
  readonly #state: ChartState
  readonly #frames: FrameScheduler
  readonly #last: LastPriceReader
  readonly #price: PriceAxis
  readonly #overlays: PaneOverlays
  #isPainted = false

  constructor(given: SeriesChartOptions, model: ChartModel, events: RendererEvents) {
    const { library, instrument, options } = given
    const state: ChartState = { options, colours: readColours(), condition: undefined }
    this.#model = model
    this.#events = events
    this.#state = state
    this.#frames = new FrameScheduler((from) => this.#paint(from))
    this.texts = chartTexts(given, model)
    const { axis, price: text, axisTexts, isDate } = this.texts
    this.axis = axis
    this.#last = new LastPriceReader({ ...given, model, text, state })
    this.#price = priceAxis({ text, tickSize: instrument.tickSize, model, state })
    this.chart = library
    setLooks(library, { colours: state.colours, texts: axisTexts, scale: options.scale, hasVolume: instrument.hasVolume })
    this.#overlays = new PaneOverlays(this.chart, () => this.#catchUp())
    this.layers = new ChartLayers(
      {
        chart: this.chart,
        overlays: this.#overlays,
        model,
        axis,
        state,
        text,
        format: this.#price.format,
        ticks: this.#price.ticks,
        hasVolume: instrument.hasVolume,
        isDate,
        last: this.#last,
        onLate: () => this.askLegend(),
      },
      given.studies,
    )
    this.view = new WindowedView({ chart: this.chart, model, axis, layers: this.layers })
  }

  get isPainted(): boolean {
    return this.#isPainted
  }

  /** Bars from an index on are new or changed. */
  change(from: number | 'all'): void {
    this.#last.forgetPrice()
    const isTouched = from !== 'all' && this.view.touch(from)
    this.#frames.ask(isTouched ? 'overlay' : from)
    // The library paints after us in the same frame; otherwise the tick would show a frame late.
    if (!isTouched) this.layers.refresh()
  }

  /** After this many bars were prepended. */
  prepend(count: number, motion: Motion): void {
    this.#frames.shift(count)
    this.layers.compute('all')
    this.view.shift(count, motion)
  }

  /** The legend has changed. */
  askLegend(): void {
    this.#frames.ask('legend')
  }

  setCondition(condition: LiveCondition): void {
    this.#state.condition = condition
    this.#last.forgetTime()
    this.layers.refresh()
  }

  /** A second has passed on the clock. */
  onSecond(): void {
    this.#last.forgetTime()
    this.#overlays.repaint()
  }

  /** Percents count from the first visible bar. */
  followPrice(fromIndex: number | undefined): void {
    if (this.#price.follow(fromIndex)) this.layers.price.setOptions({ priceFormat: this.#price.format })
  }

  /** Returns whether all bars were redrawn. */
  setOptions(next: ChartOptions): boolean {
    const before = this.#state.options
    this.#state.options = next
    if (next.scale !== before.scale) setPriceScale(this.chart, next.scale)
    this.followPrice(this.view.seen()?.from)
    if (next.style === before.style && next.colours === before.colours) {
      this.layers.refresh()
      return false
    }
    // Pending changes are indexed by the bars of the old style.
    this.flush()
    this.layers.remove()
    this.#state.colours = readColours()
    this.chart.applyOptions(themeOf(this.#state.colours))
    if (next.style !== before.style) this.#model.setStyle(next.style)
    this.layers.rebuild()
    if ((next.style === 'renko') === (before.style === 'renko')) this.view.redraw()
    else {
      const end = this.#model.shown.bars.length
      this.view.toNewest()
      this.view.look(end - freshView, end + 5)
    }
    return true
  }

  /** Paints pending changes now. */
  flush(): void {
    this.#frames.flush()
  }

  screenshot(): HTMLCanvasElement {
    this.flush()
    return this.#overlays.picture()
  }

  /** Takes everything off the library's chart. */
  stop(): void {
    this.#frames.stop()
    this.layers.remove()
  }

  #paint(from: Changed): void {
    if (from === 'all') this.view.renew()
    // The last price changes also when its bar is far outside the view.
    else if (from === 'overlay' || (typeof from === 'number' && !this.view.advance(from))) this.#overlays.repaint()
    if (this.#state.options.scale === 'percent') this.followPrice(this.view.seen()?.from)
    if (!this.#isPainted && this.#model.shown.bars.length > 0) {
      this.#isPainted = true
      this.#events.onFirst()
    }
    this.#events.onPaint()
  }

  /** The library has painted with its own forming bar, which may be older than that of the overlays. */
  #catchUp(): void {
    if (this.view.isAhead) this.#frames.ask(this.#model.shown.bars.length - 1)
  }
}
