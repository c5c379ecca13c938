// The studies on one chart: which are drawn, in which pane, and what each of them says.
import type { IChartApi } from 'lightweight-charts'
import type { StudyId } from '#shared/market/indicators/study-ids.ts'
import { studies } from '#shared/market/indicators/registry.ts'
import { studyText } from '#shared/text/en/studies.ts'
import { groupOf, type BarWindow } from '../view-window.ts'
import type { Shade } from '../shade.ts'
import { inputSummary } from './input-summary.ts'
import type { StudyReading } from './study-reading.ts'
import { studyView, type StudyView, type StudyViewNeeds } from './study-view.ts'
import type { StudyWish } from './study-wish.ts'

export interface StudyLayersNeeds extends Omit<StudyViewNeeds, 'study' | 'inputs' | 'formingFrom'> {
  readonly window: () => BarWindow
  /** Number of all bars. */
  readonly length: () => number
  /** A study that had to wait is there. */
  readonly onLate: () => void
}

export interface StudyLayers {
  /** How a study colours the candles, if one does. */
  readonly shade: Shade | undefined
  /** Draws what is new, removes what is gone and leaves the rest alone. */
  set(wishes: readonly StudyWish[]): void
  draw(): void
  /** Bars from an index on are new or changed. */
  advance(fromIndex: number): void
  /** Whether the forming bar of all lines, and nothing else, is to be drawn anew. */
  canTouch(fromIndex: number): boolean
  touch(): void
  isBehind(): boolean
  /** Studies follow the data also where nothing is drawn. */
  compute(fromIndex: number | 'all'): void
  /** What lies inside the bars has become known, or has changed for older ones: one study anew. */
  refresh(id: StudyId): void
  readings(index: number): readonly StudyReading[]
  remove(): void
}

interface Layer {
  readonly wish: StudyWish
  /** Without one while it is hidden. */
  readonly view: StudyView | undefined
}

const separatorPx = 1
/** Half a frame: what all bars anew do not reach in it waits for the next one, so that no history is too long. */
const budgetMs = 8

export function studyLayers(needs: StudyLayersNeeds): StudyLayers {
  const { chart, window, length } = needs
  let layers: readonly Layer[] = []
  /** Studies that are to be computed anew in the next frames, and show nothing until then: their numbers are those of other bars. */
  let late: readonly StudyView[] = []
  let request = 0
  const views = () => layers.flatMap(({ view }) => view ?? [])
  const timely = () => views().filter((view) => !late.includes(view))

  const formingFrom = () => (window().to === length() ? groupOf(window(), length() - 1, length()).from : length())

  function computeAll(wanted: readonly StudyView[]): void {
    const endMs = performance.now() + budgetMs
    // One at least, and the one that colours the candles is never late: they are drawn at once.
    const ordered = wanted.toSorted((one, other) => Number(other.shade !== undefined) - Number(one.shade !== undefined))
    let done = 0
    while (done < ordered.length && (done === 0 || performance.now() < endMs)) {
      ordered[done]?.full()
      done += 1
    }
    late = ordered.slice(done)
    cancelAnimationFrame(request)
    if (late.length > 0) request = requestAnimationFrame(goOn)
  }

  function computeAndDraw(wanted: readonly StudyView[]): void {
    computeAll(wanted)
    for (const view of wanted) if (!late.includes(view)) view.draw(window(), length())
  }

  function goOn(): void {
    computeAndDraw(late)
    needs.onLate()
  }

  /** In the pane of the one whose place it takes, so that a changed input moves nothing. */
  function layerOf(wish: StudyWish, before: Layer | undefined): Layer {
    if (before?.view !== undefined && isSame(wish, before.wish)) return before
    if (wish.isHidden) return { wish, view: undefined }
    const view = studyView({ ...needs, formingFrom, study: studies[wish.id], inputs: wish.inputs })
    view.attach(before?.view?.paneIndex() ?? chart.panes().length)
    return { wish, view }
  }

  /** The panes stand in the order of the wishes. */
  function order(): void {
    let place = 1
    for (const view of views()) {
      const at = view.paneIndex()
      if (at === undefined) continue
      if (at !== place) chart.panes()[at]?.moveTo(place)
      place += 1
    }
  }

  return {
    get shade() {
      return views().find((view) => view.shade !== undefined)?.shade
    },
    set(wishes) {
      const before = new Map(layers.map((layer) => [layer.wish.id, layer]))
      const next = wishes.map((wish) => layerOf(wish, before.get(wish.id)))
      const kept = new Set(next.map(({ view }) => view))
      const old = new Set(views())
      for (const view of old) if (!kept.has(view)) view.detach()
      layers = next
      order()
      computeAndDraw(views().filter((view) => late.includes(view) || !old.has(view)))
    },
    draw() {
      for (const view of timely()) view.draw(window(), length())
      for (const view of late) view.draw({ from: 0, to: 0, step: 1 }, length())
    },
    advance(fromIndex) {
      for (const view of timely()) view.advance(fromIndex, length())
    },
    canTouch: (fromIndex) => timely().every((view) => view.canTouch(fromIndex, length())),
    touch() {
      for (const view of timely()) view.touch(length())
    },
    isBehind: () => views().some((view) => view.isBehind()),
    compute(fromIndex) {
      if (fromIndex === 'all') computeAll(views())
      else for (const view of timely()) view.compute(fromIndex < length() - 1)
    },
    refresh(id) {
      const view = layers.find(({ wish }) => wish.id === id)?.view
      if (view === undefined || late.includes(view)) return
      view.full()
      view.draw(window(), length())
    },
    readings(index) {
      const tops = topsOf(chart)
      return layers.map(({ wish, view }) => ({
        id: wish.id,
        name: studyText[wish.id].shortName ?? studyText[wish.id].name,
        summary: inputSummary(studies[wish.id], wish.inputs),
        isHidden: wish.isHidden,
        note: view?.note(index),
        readings: view === undefined || late.includes(view) ? [] : view.readings(index),
        paneTopPx: tops[view?.paneIndex() ?? 0] ?? 0,
      }))
    },
    remove() {
      cancelAnimationFrame(request)
      for (const view of views()) view.detach()
      layers = []
    },
  }
}

function isSame(one: StudyWish, other: StudyWish): boolean {
  return one.isHidden === other.isHidden && JSON.stringify(one.inputs) === JSON.stringify(other.inputs)
}

/** Where each pane begins, in pixels from the top. */
function topsOf(chart: IChartApi): readonly number[] {
  let top = 0
  return chart.panes().map((pane) => {
    const start = top
    top += pane.getHeight() + separatorPx
    return start
  })
}
