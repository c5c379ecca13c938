// Studies on one chart: which are drawn, in which pane, and their legend values.
import type { IChartApi } from 'lightweight-charts'
import type { BarColumns } from '#shared/indicators/lib/bar-columns.ts'
import type { StudyId } from '#shared/indicators/lib/study-ids.ts'
import { studies } from '#shared/indicators/studies.ts'
import { studyText } from '#shared/indicators/text/en.ts'
import type { AxisTimes } from '../axis-times.ts'
import type { BarLayer } from '../bar-layer.ts'
import type { Shade } from '../candle-tint.ts'
import type { BarWindow } from '../view-window.ts'
import { inputSummary } from './input-summary.ts'
import type { StudyReading } from './legend-values.ts'
import { StudyView, type StudyViewOptions } from './study-view.ts'
import type { StudyConfig } from './study-config.ts'

export interface StudyLayersOptions extends Omit<StudyViewOptions, 'study' | 'inputs' | 'formingFrom'> {
  readonly axis: AxisTimes
  /** The displayed bars. */
  readonly bars: BarColumns
  /** A deferred study is ready. */
  readonly onLate: () => void
}

interface Layer {
  readonly config: StudyConfig
  /** Undefined while hidden. */
  readonly view: StudyView | undefined
}

const separatorPx = 1
/** Half a frame: studies beyond this budget are recomputed in the next frame, so that a long history never blocks. */
const budgetMs = 8
const noWindow: BarWindow = { from: 0, to: 0, step: 1 }

export class StudyLayers implements BarLayer {
  readonly #options: StudyLayersOptions
  #layers: readonly Layer[] = []
  #views: readonly StudyView[] = []
  /** Studies to be recomputed in the next frames; hidden until then, because their values are those of the old bars. */
  #late: readonly StudyView[] = []
  /** The others. */
  #timely: readonly StudyView[] = []
  #request = 0

  constructor(options: StudyLayersOptions) {
    this.#options = options
  }

  /** How a study tints the candles, if one does. */
  get shade(): Shade | undefined {
    return this.#views.find((view) => view.shade !== undefined)?.shade
  }

  /** Adds new studies, removes old ones and leaves the rest unchanged. */
  set(configs: readonly StudyConfig[]): void {
    const before = new Map(this.#layers.map((layer) => [layer.config.id, layer]))
    const next = configs.map((config) => this.#layerOf(config, before.get(config.id)))
    const kept = new Set(next.map(({ view }) => view))
    const old = new Set(this.#views)
    for (const view of old) if (!kept.has(view)) view.detach()
    this.#layers = next
    this.#views = next.flatMap(({ view }) => view ?? [])
    this.#order()
    this.#computeAndDraw(this.#views.filter((view) => this.#late.includes(view) || !old.has(view)))
  }

  draw(window: BarWindow, length: number): void {
    for (const view of this.#timely) view.draw(window, length)
    for (const view of this.#late) view.draw(noWindow, length)
  }

  advance(fromIndex: number, length: number): void {
    for (const view of this.#timely) view.advance(fromIndex, length)
  }

  touch(fromIndex: number, length: number): boolean {
    return this.#timely.every((view) => view.touch(fromIndex, length))
  }

  /** Updates the study values, also where nothing is drawn. */
  compute(fromIndex: number | 'all'): void {
    if (fromIndex === 'all') this.#computeAll(this.#views)
    else for (const view of this.#timely) view.compute(fromIndex < this.#options.bars.length - 1)
  }

  /** Intrabar or older data has changed: recomputes one study. */
  refresh(id: StudyId): void {
    const view = this.#layers.find(({ config }) => config.id === id)?.view
    if (view === undefined || this.#late.includes(view)) return
    view.full()
    this.#draw(view)
  }

  readings(index: number): readonly StudyReading[] {
    const tops = topsOf(this.#options.chart)
    return this.#layers.map(({ config, view }) => ({
      id: config.id,
      name: studyText[config.id].shortName ?? studyText[config.id].name,
      summary: inputSummary(studies[config.id], config.inputs),
      isHidden: config.isHidden,
      note: view?.note(index),
      readings: view === undefined || this.#late.includes(view) ? [] : view.readings(index),
      paneTopPx: tops[view?.paneIndex() ?? 0] ?? 0,
    }))
  }

  remove(): void {
    cancelAnimationFrame(this.#request)
    for (const view of this.#views) view.detach()
    this.#layers = []
    this.#views = []
    this.#timely = []
  }

  #computeAll(wanted: readonly StudyView[]): void {
    const endMs = performance.now() + budgetMs
    // At least one; the one that tints the candles is never deferred, because candles are drawn at once.
    const ordered = wanted.toSorted((one, other) => Number(other.shade !== undefined) - Number(one.shade !== undefined))
    let done = 0
    while (done < ordered.length && (done === 0 || performance.now() < endMs)) {
      ordered[done]?.full()
      done += 1
    }
    this.#late = ordered.slice(done)
    this.#timely = this.#views.filter((view) => !this.#late.includes(view))
    cancelAnimationFrame(this.#request)
    if (this.#late.length > 0) this.#request = requestAnimationFrame(() => this.#goOn())
  }

  #computeAndDraw(wanted: readonly StudyView[]): void {
    this.#computeAll(wanted)
    for (const view of wanted) if (!this.#late.includes(view)) this.#draw(view)
  }

  #goOn(): void {
    this.#computeAndDraw(this.#late)
    this.#options.onLate()
  }

  #draw(view: StudyView): void {
    view.draw(this.#options.axis.window, this.#options.bars.length)
  }

  /** Reuses the pane of the layer it replaces, so that a changed input does not move panes. */
  #layerOf(config: StudyConfig, before: Layer | undefined): Layer {
    if (before?.view !== undefined && isSame(config, before.config)) return before
    if (config.isHidden) return { config, view: undefined }
    const formingFrom = () => this.#formingFrom()
    const view = new StudyView({ ...this.#options, formingFrom, study: studies[config.id], inputs: config.inputs })
    view.attach(before?.view?.paneIndex() ?? freePane(this.#options.chart))
    return { config, view }
  }

  #formingFrom(): number {
    const { axis, bars } = this.#options
    return axis.window.to === bars.length ? axis.firstOf(bars.length - 1) : bars.length
  }

  /** Panes are in the order of the studies. */
  #order(): void {
    let place = 1
    for (const view of this.#views) {
      const at = view.paneIndex()
      if (at === undefined) continue
      if (at !== place) this.#options.chart.panes()[at]?.moveTo(place)
      place += 1
    }
  }
}

function isSame(one: StudyConfig, other: StudyConfig): boolean {
  return one.isHidden === other.isHidden && JSON.stringify(one.inputs) === JSON.stringify(other.inputs)
}

/** Index of the first empty pane, left by the series before; else of a new one. */
function freePane(chart: IChartApi): number {
  const panes = chart.panes()
  const at = panes.findIndex((pane, index) => index > 0 && pane.getSeries().length === 0)
  return at < 0 ? panes.length : at
}

/** Top of each pane, in pixels. */
function topsOf(chart: IChartApi): readonly number[] {
  let top = 0
  return chart.panes().map((pane) => {
    const start = top
    top += pane.getHeight() + separatorPx
    return start
  })
}
