// The port between the producer of market data (the hub, exactly one) and its consumers (every web process), and its form in one process.
import type { Candle, DataLabel } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { HubPlace } from '#shared/market-admin/contract.ts'
import type { SourceName } from '../feed.ts'

/** State of a series besides its prices. */
export interface SeriesCondition {
  /** Null if no source responds. */
  readonly source: SourceName | null
  readonly label: DataLabel | null
  /** The hours of the shown instrument: a demo or a proxy may have other hours. */
  readonly sessionClass: SessionClass
  /** The source is silent or cut while its market is open. */
  readonly isStale: boolean
  /** Why there is no source, or a fallback; null if all is well. User-facing. */
  readonly reason: string | null
}

/** Changes of a series since the previous update; numbered without gaps within an epoch. */
export interface SeriesUpdate {
  readonly series: string
  /** A new value means: discard the known state and read it again. */
  readonly epoch: string
  readonly seq: number
  /** New and changed minutes, whole, ascending. */
  readonly minutes: readonly Candle[]
  readonly condition: SeriesCondition
}

/** State for a new listener: the last minutes after update `seq`. Older ones are in the store. */
export interface SeriesState extends SeriesUpdate {
  /** At least all minutes that may not be stored yet. */
  readonly minutes: readonly Candle[]
}

export interface BusListener {
  update(update: SeriesUpdate): void
  /** Updates may be missing: the state has to be read again. */
  lost(): void
  /** The hub went away, or is back. */
  away(isAway: boolean): void
}

export interface MarketBus {
  /** Requests the series until the returned function is called. */
  request(series: string): () => void
  /** Every update of a series from now on, in order, until the returned function is called. */
  subscribe(series: string, listener: BusListener): () => void
  /** The current state, or undefined while the hub has none. */
  state(series: string): Promise<SeriesState | undefined>
  /** Asks the hub to backfill older candles of a timeframe; resolves to whether there may be more now. */
  extend(series: string, timeframe: Timeframe, beforeMs: number): Promise<boolean>
  /** Whether the connection to the hub is up, such as the one to Redis. */
  isConnected(): boolean
  /** Whether the hub is away. */
  isHubAway(): boolean
  close(): Promise<void>
}

/** The hub's side of the bus. */
export interface HubBus {
  /** Requested series, now and on every change; empty while another hub is active. */
  onRequested(listener: (series: ReadonlySet<string>) => void): void
  /** An update without minutes and without a new number only repeats the state. */
  publish(state: SeriesState, update: SeriesUpdate): void
  /** Published updates may be lost: publish everything again. */
  onRestored(listener: () => void): void
  onExtend(handler: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>): void
  /** Whether this hub is active; another one may hold the lease. */
  isActive(): boolean
  close(): Promise<void>
}

/** The hub's place for a process with this bus and, if it may be the hub, its hub end. */
export function hubPlaceOf(bus: Pick<MarketBus, 'isHubAway'>, hub: Pick<HubBus, 'isActive'> | undefined): HubPlace {
  if (hub?.isActive() === true) return 'here'
  if (bus.isHubAway()) return 'silent'
  return hub === undefined ? 'elsewhere' : 'standby'
}

type ExtendHandler = Parameters<HubBus['onExtend']>[0]

/** Both ends of an in-process bus. */
export function memoryBus(): { bus: MarketBus; hub: HubBus } {
  const listeners = new Map<string, Set<BusListener>>()
  const states = new Map<string, SeriesState>()
  let notifyRequested: (series: ReadonlySet<string>) => void = () => undefined
  let handleExtend: ExtendHandler = () => Promise.resolve(false)

  const requests = countedRequests((series, isRequested) => {
    if (!isRequested) states.delete(series)
    notifyRequested(requests.series())
  })

  const bus: MarketBus = {
    request: (series) => requests.add(series),
    subscribe(series, listener) {
      const all = listeners.get(series) ?? new Set()
      listeners.set(series, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0 && listeners.get(series) === all) listeners.delete(series)
      }
    },
    state: (series) => Promise.resolve(states.get(series)),
    extend: (series, timeframe, beforeMs) => handleExtend(series, timeframe, beforeMs),
    isConnected: () => true,
    isHubAway: () => false,
    close: () => Promise.resolve(),
  }
  const hub: HubBus = {
    onRequested(listener) {
      notifyRequested = listener
      listener(requests.series())
    },
    publish(state, update) {
      if (!requests.has(update.series)) return
      states.set(update.series, state)
      for (const listener of listeners.get(update.series) ?? []) listener.update(update)
    },
    onRestored: () => undefined,
    onExtend(handler) {
      handleExtend = handler
    },
    isActive: () => true,
    close: () => Promise.resolve(),
  }
  return { bus, hub }
}

/** Counts the requests of each series; `onChange` is called for the first one of a series, and after its last one ends. */
export function countedRequests(onChange: (series: string, isRequested: boolean) => void) {
  const counts = new Map<string, number>()

  function change(series: string, by: 1 | -1): void {
    const before = counts.get(series) ?? 0
    const after = before + by
    if (after === 0) counts.delete(series)
    else counts.set(series, after)
    if (before === 0 || after === 0) onChange(series, after > 0)
  }

  return {
    series: (): ReadonlySet<string> => new Set(counts.keys()),
    has: (series: string): boolean => counts.has(series),
    /** Counts one request, until the returned function is called. */
    add(series: string): () => void {
      let isCounted = true
      change(series, 1)
      return () => {
        if (isCounted) change(series, -1)
        isCounted = false
      }
    },
  }
}
