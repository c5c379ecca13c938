// The Tezi chart for the life of its element: another instrument or timeframe swaps the series on it.
import { listenerSet } from '#shared/base/listeners.ts'
import type { AxisMark, DrawingSurface, Layer, Paint } from '#web/features/drawings/drawing-surface.ts'
import type { ChartOptions } from './chart-options.ts'
import type { NativeChart, NativeChartOptions } from './chart-port.ts'
import { axisWidthPx, lwcChart } from './create-chart.ts'
import type { GoToOutcome } from './go-to.ts'
import type { Place } from './kept-place.ts'
import { noFrame, type BarTexts } from './legend-snapshot.ts'
import type { CrosshairLink } from './linked-crosshairs.ts'
import { TeziChart } from './native-chart.ts'
import type { StudyPicture } from './studies/study-setup.ts'

export type ShownSeries = Omit<NativeChartOptions, 'host'>

export class LastingChart implements NativeChart {
  readonly surface: DrawingSurface
  readonly crosshair: CrosshairLink
  readonly onFrame: NativeChart['onFrame']
  readonly #host: HTMLElement
  readonly #library: ReturnType<typeof lwcChart>
  readonly #place: Place = { current: undefined }
  readonly #frames = listenerSet()
  readonly #points = listenerSet<[timeMs: number | undefined]>()
  readonly #layers = new Map<Paint, { readonly marks: () => readonly AxisMark[]; layer: Layer | undefined }>()
  #series: TeziChart | undefined
  #slug = ''

  constructor(host: HTMLElement) {
    this.#host = host
    this.#library = lwcChart(host)
    this.onFrame = this.#frames.add
    this.crosshair = { onPoint: this.#points.add, pointAt: (timeMs) => this.#series?.crosshair.pointAt(timeMs) }
    this.surface = this.#lastingSurface()
  }

  /** Ends the series before, and shows another: nothing of the old one is painted from here on. */
  show(next: ShownSeries): void {
    this.#clear(true)
    // Layers of another instrument belong to its drawings, which end later.
    if (next.instrument.slug !== this.#slug) this.#layers.clear()
    this.#slug = next.instrument.slug
    const painted = (): void => {
      this.#holdAxis(axisWidthPx)
      next.events.painted()
    }
    const events = { ...next.events, painted }
    const series = new TeziChart({ ...next, events, host: this.#host, library: this.#library, place: this.#place })
    this.#series = series
    this.#removeEmptyPanes()
    series.onFrame(() => this.#frames.notify())
    series.crosshair.onPoint((timeMs) => this.#points.notify(timeMs))
    for (const [paint, held] of this.#layers) held.layer = series.surface.addLayer(paint, held.marks)
    this.#frames.notify()
  }

  /** Ends the series and leaves the chart empty. */
  hide(): void {
    this.#clear(true)
    this.#frames.notify()
  }

  readonly frame = () => this.#series?.frame() ?? noFrame

  setOptions(options: ChartOptions): void {
    this.#series?.setOptions(options)
  }

  setStudies(picture: StudyPicture | undefined): void {
    this.#series?.setStudies(picture)
  }

  setMissing(times: readonly number[]): void {
    this.#series?.setMissing(times)
  }

  walk(to: number | 'first' | 'last'): BarTexts | undefined {
    return this.#series?.walk(to)
  }

  zoom(direction: 1 | -1): void {
    this.#series?.zoom(direction)
  }

  leave(): void {
    this.#series?.leave()
  }

  toLatest(): void {
    this.#series?.toLatest()
  }

  goTo(timeMs: number): Promise<GoToOutcome> {
    return this.#series?.goTo(timeMs) ?? Promise.resolve('failed')
  }

  isAutoScaled(): boolean {
    return this.#series?.isAutoScaled() ?? true
  }

  setAutoScaled(isAuto: boolean): void {
    this.#series?.setAutoScaled(isAuto)
  }

  visibleBars(max: number): readonly BarTexts[] {
    return this.#series?.visibleBars(max) ?? []
  }

  screenshot(): HTMLCanvasElement {
    return this.#series?.screenshot() ?? this.#library.takeScreenshot()
  }

  stop(): void {
    this.#clear(false)
    this.#frames.clear()
    this.#library.remove()
  }

  /** Panes that the next series is likely to fill again keep their place and height. */
  #clear(arePanesKept: boolean): void {
    const series = this.#series
    if (series === undefined) return
    this.#series = undefined
    series.leave()
    if (arePanesKept) {
      for (const pane of this.#library.panes()) pane.setPreserveEmptyPane(true)
      this.#holdAxis(Math.max(axisWidthPx, this.#library.priceScale('right', 0).width()))
    }
    series.stop()
  }

  /** Without prices the axis would become narrower, and all canvases be recreated, twice. */
  #holdAxis(minimumWidth: number): void {
    this.#library.priceScale('right', 0).applyOptions({ minimumWidth })
  }

  #removeEmptyPanes(): void {
    for (const pane of this.#library.panes().slice(1).toReversed()) {
      pane.setPreserveEmptyPane(false)
      if (pane.getSeries().length === 0) this.#library.removePane(pane.paneIndex())
    }
  }

  #lastingSurface(): DrawingSurface {
    const surface = () => this.#series?.surface
    return {
      host: this.#host,
      mapping: () => surface()?.mapping(),
      barAt: (timeMs) => surface()?.barAt(timeMs),
      indexOf: (timeMs) => surface()?.indexOf(timeMs) ?? Number.NaN,
      timeOf: (index) => surface()?.timeOf(index) ?? Number.NaN,
      addLayer: (paint, marks) => {
        this.#layers.set(paint, { marks, layer: surface()?.addLayer(paint, marks) })
        return {
          repaint: () => this.#layers.get(paint)?.layer?.repaint(),
          remove: () => {
            this.#layers.get(paint)?.layer?.remove()
            this.#layers.delete(paint)
          },
        }
      },
    }
  }
}
