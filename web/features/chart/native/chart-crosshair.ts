// Crosshair of one chart: the bar it is at, moved by pointer, keys or a linked chart.
import { listenerSet } from '#shared/base/listeners.ts'
import type { MouseEventParams, Time } from 'lightweight-charts'
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import type { ChartModel } from './chart-model.ts'
import type { ChartRenderer } from './chart-renderer.ts'
import type { CrosshairLink } from './linked-crosshairs.ts'
import { lastBarAt } from './view-window.ts'

export interface ChartCrosshairOptions {
  readonly model: ChartModel
  readonly renderer: ChartRenderer
  /** Position of a time among the bars, fractional; negative before the first one. */
  readonly indexOf: (timeMs: number) => number
}

export class ChartCrosshair {
  readonly link: CrosshairLink
  readonly #options: ChartCrosshairOptions
  readonly #listeners = listenerSet<[timeMs: number | undefined]>()
  #picked: number | undefined
  /** True while keys move it: the screen position that the library reports is not used then. */
  #isWalking = false

  constructor(options: ChartCrosshairOptions) {
    this.#options = options
    this.link = { onPoint: this.#listeners.add, pointAt: (timeMs) => this.#pointAt(timeMs) }
    options.renderer.chart.subscribeCrosshairMove(this.#onMove)
  }

  stop(): void {
    this.#options.renderer.chart.unsubscribeCrosshairMove(this.#onMove)
  }

  /** Index of the bar under the crosshair. */
  get picked(): number | undefined {
    return this.#picked
  }

  /** Moves it by this many drawn bars, or to the first or last one, by keys. */
  walk(to: number | 'first' | 'last'): void {
    const { axis, view } = this.#options.renderer
    const end = this.#bars.length - 1
    if (end < 0) return
    const by = (bars: number) => Math.min(end, Math.max(0, (this.#picked ?? end) + bars * axis.window.step))
    const index = to === 'first' ? 0 : to === 'last' ? end : by(to)
    view.lookAt(index)
    this.#isWalking = true
    this.#picked = index
    this.#draw()
    this.#notify()
  }

  leave(): void {
    this.#isWalking = false
    this.#picked = undefined
    this.#options.renderer.chart.clearCrosshairPosition()
    this.#notify()
  }

  /** Clears it: all bars were replaced. */
  forget(): void {
    this.#picked = undefined
  }

  /** Keeps it at its bar after the view has moved. */
  stay(): void {
    if (this.#isWalking) this.#draw()
  }

  /** After `count` bars were prepended; `before` is the bar that the crosshair was at. */
  shift(before: number | undefined, count: number): void {
    // The library reported the crosshair at its old position; restore the bar.
    this.#picked = before === undefined ? undefined : before + count
    this.stay()
  }

  get #bars(): BarColumns {
    return this.#options.model.shown.bars
  }

  readonly #onMove = ({ logical, point, sourceEvent }: MouseEventParams): void => {
    this.#isWalking &&= sourceEvent === undefined
    if (this.#isWalking) return
    const last = logical === undefined ? undefined : lastBarAt(this.#options.renderer.axis.window, logical)
    const index = last === undefined ? undefined : Math.min(this.#bars.length - 1, Math.max(0, last))
    if (index === this.#picked) return
    this.#pick(index)
    // No notification when the chart only scrolls below a crosshair set by a linked chart.
    if (sourceEvent !== undefined || point === undefined) this.#notify()
  }

  #pointAt(timeMs: number | undefined): void {
    const index = timeMs === undefined ? -1 : Math.min(this.#bars.length - 1, Math.floor(this.#options.indexOf(timeMs)))
    this.#pick(index >= 0 ? index : undefined)
    this.#draw()
  }

  #pick(index: number | undefined): void {
    if (index === this.#picked) return
    this.#picked = index
    this.#options.renderer.askLegend()
  }

  #notify(): void {
    this.#listeners.notify(this.#picked === undefined ? undefined : this.#bars.timeMs[this.#picked])
  }

  #draw(): void {
    const { chart, axis, layers } = this.#options.renderer
    const index = this.#picked
    const price = index === undefined ? undefined : this.#bars.close[index]
    if (index === undefined || price === undefined) return chart.clearCrosshairPosition()
    const { from, to } = axis.window
    if (index >= from && index < to) chart.setCrosshairPosition(price, axis.of(index) as Time, layers.price.main)
  }
}
