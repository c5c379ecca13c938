// The crosshair of one chart: which bar it is at, moved by a pointer, by keys, or along with the chart beside it.
import { listenerSet } from '#shared/base/listeners.ts'
import type { IChartApi, ISeriesApi, MouseEventParams, SeriesType, Time } from 'lightweight-charts'
import type { BarColumns } from '#shared/market/indicators/columns.ts'
import type { AxisTimes } from './axis-times.ts'
import { lastBarAt } from './view-window.ts'
import type { WindowedView } from './windowed-view.ts'

export interface ChartCrosshairNeeds {
  readonly chart: IChartApi
  readonly axis: AxisTimes
  readonly view: WindowedView
  readonly bars: () => BarColumns
  /** Place of a time among the bars, with parts of bars; negative before the first one. */
  readonly indexOf: (timeMs: number) => number
  /** The price's own series, also after a change of style. */
  readonly series: () => ISeriesApi<SeriesType>
  /** It is at another bar. */
  readonly onPick: () => void
}

/** The way between the crosshairs of two charts, by time. */
export interface CrosshairLink {
  /** Calls back as a person moves it, with nothing where it leaves. */
  readonly onPoint: (listener: (timeMs: number | undefined) => void) => () => void
  /** Moves it without calling back. */
  readonly pointAt: (timeMs: number | undefined) => void
}

export interface ChartCrosshair {
  /** Index of the bar that it is at. */
  readonly picked: () => number | undefined
  /** Takes it to a bar, by keys. */
  readonly walkTo: (index: number) => void
  readonly leave: () => void
  /** The bars are others: it is at none of them. */
  readonly forget: () => void
  /** The view has moved on below it. */
  readonly stay: () => void
  /** So many bars came before the others, and it was at this one. */
  readonly shift: (before: number | undefined, count: number) => void
  readonly link: CrosshairLink
}

export function chartCrosshair({ chart, axis, view, bars, indexOf, series, onPick }: ChartCrosshairNeeds): ChartCrosshair {
  let picked: number | undefined
  /** True while it is moved by keys, along with its bar: what the library tells of the place on the screen is nothing then. */
  let isWalking = false
  const listeners = listenerSet<[timeMs: number | undefined]>()

  chart.subscribeCrosshairMove(({ logical, point, sourceEvent }: MouseEventParams) => {
    isWalking &&= sourceEvent === undefined
    if (isWalking) return
    const index = logical === undefined ? undefined : Math.min(bars().length - 1, Math.max(0, lastBarAt(view.window, logical)))
    if (index === picked) return
    pick(index)
    // Also told where the chart moves below a crosshair that another chart has put there.
    if (sourceEvent !== undefined || point === undefined) tell()
  })

  function pick(index: number | undefined): void {
    if (index === picked) return
    picked = index
    onPick()
  }

  const tell = (): void => listeners.notify(picked === undefined ? undefined : bars().timeMs[picked])

  function draw(): void {
    const price = picked === undefined ? undefined : bars().close[picked]
    if (picked === undefined || price === undefined) return chart.clearCrosshairPosition()
    const { from, to } = view.window
    if (picked >= from && picked < to) chart.setCrosshairPosition(price, axis.of(picked) as Time, series())
  }

  return {
    picked: () => picked,
    walkTo(index) {
      view.lookAt(index)
      isWalking = true
      picked = index
      draw()
      tell()
    },
    leave() {
      isWalking = false
      picked = undefined
      chart.clearCrosshairPosition()
      tell()
    },
    forget: () => void (picked = undefined),
    stay() {
      if (isWalking) draw()
    },
    shift(before, count) {
      // The library has told of a crosshair that it had not moved along yet.
      picked = before === undefined ? undefined : before + count
      if (isWalking) draw()
    },
    link: {
      onPoint: listeners.add,
      pointAt(timeMs) {
        const index = timeMs === undefined ? -1 : Math.min(bars().length - 1, Math.floor(indexOf(timeMs)))
        pick(index >= 0 ? index : undefined)
        draw()
      },
    },
  }
}
