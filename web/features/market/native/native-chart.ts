// Our own chart: joins data, drawing library and person. Ticks are drawn once a frame at most, and not at all in a hidden tab.
import { listenerSet } from '#shared/base/listeners.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import { chartSurface } from '../drawings/chart-surface.ts'
import { readColours } from './chart-colours.ts'
import { chartCrosshair } from './chart-crosshair.ts'
import { frameAt, noFrame } from './chart-frame.ts'
import { chartFeed } from './chart-feed.ts'
import { chartLayers, type ChartLayers } from './chart-layers.ts'
import { chartModel } from './chart-model.ts'
import type { NativeChart, NativeChartNeeds } from './chart-port.ts'
import type { ChartOptions } from './chart-options.ts'
import { chartTexts } from './chart-texts.ts'
import { formingLayer } from './forming/forming-layer.ts'
import { paneOverlays } from './forming/pane-overlays.ts'
import { historyStart } from './history-start.ts'
import { lastReader } from './last-reader.ts'
import { lwcChart, setPriceScale, themeOf } from './lwc-chart.ts'
import { oncePerFrame, type Changed } from './once-per-frame.ts'
import { paneHeights } from './pane-heights.ts'
import { priceAxis } from './price-axis.ts'
import { xOfBar } from './primitives/plane.ts'
import { studyDataFollower } from './studies/follow-study-data.ts'
import { viewFollower } from './view-follower.ts'
import { newestIn } from './view-window.ts'
import { windowedView } from './windowed-view.ts'

const zoomStep = 1.25
/** Bars in view after a change to bars of another kind. */
const freshView = 150

export function nativeChart(needs: NativeChartNeeds): NativeChart {
  const { host, instrument, timeframe, source, events } = needs
  let { options, studies } = needs
  let colours = readColours()
  let condition: LiveCondition | undefined
  let isPainted = false
  /** The library painted while it knew an older forming bar than is shown, and its scales may be wrong. */
  let isBehind = false
  let frame = noFrame
  const listeners = listenerSet()
  const model = chartModel(instrument, timeframe, options.style)
  const texts = chartTexts(needs, () => model.shown.bars)
  const last = lastReader({ ...needs, model, text: texts.price, condition: () => condition })
  const chart = lwcChart(host, { colours, texts: texts.axisTexts, hasVolume: instrument.hasVolume })
  setPriceScale(chart, options.scale)
  const overlays = paneOverlays(chart, () => {
    if (isBehind || !layers.isBehind()) return
    isBehind = true
    ask(model.shown.bars.length - 1)
  })
  const forming = formingLayer(chart, overlays)
  const view = windowedView({ chart, model, axis: texts.axis, layers: () => layers })
  const drawings = chartSurface({
    host,
    chart,
    timeframe,
    series: () => layers.price.main,
    bars: () => model.shown.bars,
    xOfIndex: (index) => xOfBar(chart, view.window, index),
    isPainted: () => isPainted,
  })
  const crosshair = chartCrosshair({
    chart,
    axis: texts.axis,
    view,
    bars: () => model.shown.bars,
    indexOf: drawings.surface.indexOf,
    series: () => layers.price.main,
    onPick: () => ask('none'),
  })
  const price = priceAxis({
    text: texts.price,
    tickSize: instrument.tickSize,
    bars: () => model.shown.bars,
    isPercent: () => options.scale === 'percent',
    rewrite: (priceFormat) => layers.price.setOptions({ priceFormat }),
  })
  let layers = build()

  function build(): ChartLayers {
    const made = chartLayers(
      {
        chart,
        overlays,
        forming,
        model,
        axis: texts.axis,
        text: texts.price,
        format: price.format,
        hasVolume: instrument.hasVolume,
        colours: () => colours,
        window: () => view.window,
        last: () => last.read(),
        hasBreaks: () => options.hasBreaks && !texts.isDate,
        isDemo: () => condition?.label?.mode === 'demo',
        onLate: () => ask('none'),
      },
      options.style,
    )
    made.setStudies(studies)
    made.price.main.attachPrimitive(drawings.layer)
    return made
  }

  function paint(from: Changed): void {
    last.forget()
    if (from === 'all') view.renew()
    // The last price also where the view is far from its bar.
    else if (from !== 'none' && !view.advance(from, isBehind)) overlays.repaint()
    isBehind = false
    price.follow(view.seen()?.from)
    if (!isPainted && model.shown.bars.length > 0) {
      isPainted = true
      events.painted()
    }
    tell()
  }

  const { ask, flush, shift, stop: stopPainting } = oncePerFrame(paint)

  function tell(): void {
    frame = frameAt({ model, window: view.window, picked: crosshair.picked(), texts, layers, isStartSeen: start.isSeen() })
    listeners.notify()
  }

  const start = historyStart(tell)
  const inside = studyDataFollower({
    ...needs,
    model,
    onData(isAll) {
      layers.refreshDelta(isAll)
      ask(isAll ? 'none' : Math.max(0, model.shown.bars.length - 1))
    },
    onOfficial: () => (layers.refreshPivots(), ask('none')),
    wantBars: (count) => feed.want(count),
  })

  const feed = chartFeed({
    wish: { slug: instrument.slug, timeframe },
    source,
    model,
    onData: (from) => {
      inside.align(from === 'all')
      layers.compute(from)
      ask(from)
      // The library's turn comes behind our own in the same frame, or the tick would be seen one later.
      if (from === 'all' || !view.canTouch(from)) layers.refresh()
    },
    onOlder: (count) => {
      shift(count)
      inside.align(true)
      layers.compute('all')
      const before = crosshair.picked()
      view.shift(count, follower.motion())
      crosshair.shift(before, count)
      tell()
    },
    onStart: start.set,
    onCondition: (next) => {
      condition = next
      last.forget()
      layers.refresh()
      events.condition(next)
    },
    onEnded: events.ended,
    onConnected: events.connected,
  })

  const follower = viewFollower({
    host,
    chart,
    view,
    isPainted: () => isPainted,
    onSeen: (fromIndex) => (inside.want(fromIndex), price.follow(fromIndex), start.see(fromIndex)),
    onEdge: (bars) => feed.fetchOlder(bars),
    onJoin: tell,
    onFollowed: () => crosshair.stay(),
  })

  inside.follow(studies, undefined)
  const panes = paneHeights(host, () => ask('none'))
  const stopSeconds = needs.clock.onSecond(() => (last.forget(), overlays.repaint()))

  function setOptions(next: ChartOptions): void {
    const before = options
    options = next
    if (next.scale !== before.scale) setPriceScale(chart, next.scale)
    price.follow(view.seen()?.from)
    if (next.style === before.style && next.colours === before.colours) return layers.refresh()
    // What waits for the next picture is counted in the bars of the style before.
    flush()
    layers.remove()
    colours = readColours()
    chart.applyOptions(themeOf(colours))
    if (next.style !== before.style) model.setStyle(next.style)
    layers = build()
    const end = model.shown.bars.length
    if ((next.style === 'renko') === (before.style === 'renko')) view.redraw()
    else {
      view.toNewest()
      view.look(end - freshView, end + 5)
    }
    crosshair.forget()
    tell()
  }

  return {
    surface: drawings.surface,
    crosshair: crosshair.link,
    setOptions,
    setStudies(picture) {
      studies = picture
      inside.follow(picture, view.seen()?.from)
      layers.setStudies(picture)
      tell()
    },
    frame: () => frame,
    onFrame: listeners.add,
    walk(to) {
      // A bar that waits for the next picture has no place on the axis yet.
      flush()
      const end = model.shown.bars.length - 1
      if (end < 0) return undefined
      const step = view.window.step
      const index = to === 'first' ? 0 : to === 'last' ? end : Math.min(end, Math.max(0, (crosshair.picked() ?? end) + to * step))
      crosshair.walkTo(index)
      tell()
      return frame.bar
    },
    zoom: (direction) => view.zoom(direction > 0 ? 1 / zoomStep : zoomStep),
    leave() {
      crosshair.leave()
      tell()
    },
    visibleBars: (max) =>
      newestIn(view.seen(), { length: model.shown.bars.length, max }).map((index) => texts.bar({ from: index, to: index + 1 })),
    screenshot: () => (flush(), overlays.picture()),
    stop() {
      feed.stop()
      inside.stop()
      stopSeconds()
      stopPainting()
      follower.stop()
      panes.stop()
      listeners.clear()
      chart.remove()
    },
  }
}
