// Starts the chart of the address before the rest of the page has loaded, with what the browser has cached of the settings.
import { parseTimeframe, timeframeLabel, type Timeframe } from '#shared/candles/timeframe.ts'
import { connectingBadge, feedBadges, type MarketBadge, type FeedState } from '#shared/chart/market-badge.ts'
import { findInstrumentAt, type Instrument } from '#shared/instruments/instruments.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { browserZone } from '#web/features/market-data/browser-zone.ts'
import { adjustedSource } from '#web/features/market-data/candle-source.ts'
import { liveCandles } from '#web/features/market-data/live-candles.ts'
import { serverOffsetMs } from '#web/features/market-data/server-offset.ts'
import { after } from '#web/lib/after.ts'
import { pageClock } from '#web/lib/page-clock.ts'
import { session } from '#web/lib/browser-storage.ts'
import { badgeClass } from '../badge-tones.ts'
import { dropEarlyChart, offerEarlyChart, showEarlyChart, type EarlyChart } from '../early-chart.ts'
import { ownChartRequest, type OwnChartRequest } from '../own-chart-request.ts'
import { toolRailClass } from '../tool-rail-class.ts'
import { axisZone } from './axis-zone.ts'
import type { ChartEvents } from './chart-port.ts'
import { LastingChart } from './lasting-chart.ts'

/** A page that has not taken the chart over by then never will. */
const keepMs = 60_000
/** Starting the app delays candles that arrive meanwhile; a slow line must not delay the app. */
const waitMs = 3_000

/** Rows of the app shell, at its heights; the app replaces them. */
const frame = `<div class="flex h-dvh flex-col bg-canvas">
  <div class="h-11 shrink-0 border-b border-line bg-surface"></div>
  <div class="shrink-0 border-b border-line bg-surface h-8 sm:h-16 lg:h-7.5 pointer-coarse:h-11.25 pointer-coarse:sm:h-22.25 pointer-coarse:lg:h-11"></div>
  <div class="flex min-h-0 flex-1 flex-col-reverse sm:flex-row">
    <div class="${toolRailClass}"></div>
    <div class="relative flex-1" data-slot></div>
  </div>
  <div class="h-17.25 shrink-0 border-t border-line bg-surface sm:hidden pointer-coarse:h-22.25"></div>
</div>`

/**
 * Does nothing for an address without a chart of ours, or with one that the cached access does not include.
 * Resolves when the rest of the page may start: with the first candles, or without them after a while.
 */
export function startEarlyChart({ pathname, search }: Pick<Location, 'pathname' | 'search'>, root: HTMLElement): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (!start({ pathname, search }, root, resolve)) resolve()
  after(waitMs, resolve)
  return promise
}

/** Whether there is an early chart; `onSettled` is called with its first candles, or when there will be none. */
function start({ pathname, search }: Pick<Location, 'pathname' | 'search'>, root: HTMLElement, onSettled: () => void): boolean {
  const instrument = findInstrumentAt(pathname)
  // The server checks access again, with every frame.
  if (instrument === undefined || !(instrument.isFree || session.user()?.isPremium === true)) return false
  const request = ownChartRequest(instrument, parseTimeframe(new URLSearchParams(search).get('tf')))
  if (request === undefined) return false
  document.documentElement.dataset['candles'] = request.options.colours
  root.innerHTML = frame
  const slot = root.querySelector<HTMLElement>('[data-slot]')
  offerEarlyChart(createChart({ ...request, onSettled }))
  if (slot !== null) showEarlyChart(slot, true)
  after(keepMs, dropEarlyChart)
  session.onClear(dropEarlyChart)
  return true
}

interface EarlyOptions extends OwnChartRequest {
  readonly onSettled: () => void
}

function createChart({ instrument, timeframe, adjustment, options, onSettled }: EarlyOptions): EarlyChart {
  const name = nameOf(instrument, timeframe)
  const host = document.createElement('div')
  host.className = 'relative min-h-0 flex-1'
  const element = document.createElement('div')
  element.className = 'flex size-full flex-col bg-canvas'
  element.append(name.element, host)
  const relay = new EventRelay(name.show, onSettled)
  const chart = new LastingChart(host)
  chart.show({
    instrument,
    timeframe,
    zone: axisZone(instrument),
    source: adjustedSource(liveCandles, adjustment),
    clock: pageClock,
    options,
    studies: undefined,
    events: relay.events,
  })
  const handOver: EarlyChart['handOver'] = (owner, events) => {
    host.className = 'size-full'
    owner.append(host)
    element.remove()
    relay.connect(events)
    return chart
  }
  const stop = (): void => {
    chart.stop()
    element.remove()
  }
  const setNameShown = (isShown: boolean) => void (name.element.hidden = !isShown)
  return { slug: instrument.slug, timeframe, adjustment, element, setNameShown, handOver, stop }
}

/** Keeps what the chart reports until a chart takes it. */
class EventRelay {
  readonly events: ChartEvents
  readonly #show: (state: FeedState) => void
  #condition: LiveCondition | undefined
  #isConnected = true
  #isPainted = false
  #owner: ChartEvents | undefined

  constructor(show: (state: FeedState) => void, onSettled: () => void) {
    this.#show = show
    this.events = {
      painted: () => {
        this.#isPainted = true
        // After the library's callback of this frame.
        requestAnimationFrame(onSettled)
        this.#owner?.painted()
      },
      condition: (condition) => {
        this.#condition = condition
        this.#changed()
        this.#owner?.condition(condition)
      },
      connected: (isConnected) => {
        this.#isConnected = isConnected
        this.#changed()
        this.#owner?.connected(isConnected)
      },
      // The page that loads finds out by itself, and explains it.
      ended: (code, message) => {
        if (this.#owner !== undefined) return this.#owner.ended(code, message)
        onSettled()
        dropEarlyChart()
      },
    }
  }

  connect(owner: ChartEvents): void {
    this.#owner = owner
    owner.connected(this.#isConnected)
    if (this.#condition !== undefined) owner.condition(this.#condition)
    if (this.#isPainted) owner.painted()
  }

  #changed(): void {
    if (this.#owner === undefined && this.#condition !== undefined)
      this.#show({ condition: this.#condition, isConnected: this.#isConnected })
  }
}

/** What the toolbar of the app says about the chart. */
function nameOf({ label }: Instrument, timeframe: Timeframe) {
  const element = document.createElement('p')
  element.className = 'flex min-h-9 items-center gap-x-3 border-b border-line px-3 text-11 max-sm:min-h-7.5 [&[hidden]]:hidden'
  const show = (badges: readonly MarketBadge[]): void => {
    const spans = badges.map((badge) => spanOf(badge.text, badgeClass(badge)))
    element.replaceChildren(spanOf(`${label} ${timeframeLabel(timeframe)}`, 'text-14 font-semibold'), ...spans)
  }
  show([connectingBadge])
  return { element, show: (state: FeedState) => show(feedBadges(state, { nowMs: Date.now() + serverOffsetMs(), zone: browserZone })) }
}

function spanOf(text: string, className: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}
