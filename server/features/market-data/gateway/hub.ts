// Produces the market data: follows requested series, stores closed candles, and publishes changes at most four times a second.
import { liveText } from '#shared/market-data/text/en.ts'
import { isTrading } from '../failover/liveness.ts'
import { repeat } from '../real-clock.ts'
import type { SeriesCondition } from './market-bus.ts'
import { SeriesChannel, type SeriesChannelOptions } from './series-channel.ts'
import type { SeriesPlan } from './series-plan.ts'

/** Idle timeout of a feed, because users switch back to an instrument. */
const idleTimeoutMs = 30_000
/** Interval at which quiet series are republished for new listeners. */
const repeatMs = 20_000

export interface HubOptions extends Omit<SeriesChannelOptions, 'series' | 'plan'> {
  /** The current plan of a series key, or undefined for an unknown key. */
  readonly planOf: (series: string) => SeriesPlan | undefined
}

export interface Hub {
  /** Followed series and their state, for operators. */
  report(): readonly {
    readonly series: string
    readonly source: string | null
    readonly isStale: boolean
    readonly reason: string | null
    /** Milliseconds since the source's last update; undefined before the first. */
    readonly ageMs: number | undefined
  }[]
  /** Stored candles of a series were replaced: live charts have to read them again. */
  replaced(series: string): void
  close(): Promise<void>
}

/** Starts following the series requested on the bus; one hub serves all web processes. */
export function startHub(options: HubOptions): Hub {
  const { bus, clock } = options
  const channels = new Map<string, SeriesChannel>()
  const leaving = new Map<string, () => void>()

  function update(requested: ReadonlySet<string>): void {
    for (const series of requested) {
      const isBack = leaving.has(series)
      leaving.get(series)?.()
      leaving.delete(series)
      // A bus drops the state of unrequested series, and a quiet series would not publish it for a while.
      if (isBack) channels.get(series)?.repeat()
      if (channels.has(series)) continue
      const plan = options.planOf(series)
      if (plan !== undefined) channels.set(series, new SeriesChannel({ ...options, series, plan }))
    }
    for (const series of channels.keys())
      if (!requested.has(series) && !leaving.has(series))
        leaving.set(
          series,
          clock.after(idleTimeoutMs, () => leave(series)),
        )
  }

  async function leave(series: string): Promise<void> {
    const channel = channels.get(series)
    channels.delete(series)
    leaving.delete(series)
    await channel?.close()
  }

  const repeatAll = (): void => {
    for (const channel of channels.values()) channel.repeat()
  }
  const stopRepeating = repeat(clock, repeatMs, repeatAll)

  bus.onRestored(repeatAll)
  bus.onExtend((series, timeframe, beforeMs) => channels.get(series)?.extend(timeframe, beforeMs) ?? Promise.resolve(false))
  bus.onRequested(update)

  return {
    report: () =>
      [...channels].map(([series, channel]) => {
        const condition = channel.condition()
        const { source, reason } = condition
        const isStale = condition.isStale || isWithoutSource(options.planOf(series), condition, clock.now())
        return { series, source, isStale, reason, ageMs: channel.ageMs() }
      }),
    replaced: (series) => channels.get(series)?.replacedSoon(),
    async close() {
      stopRepeating()
      for (const cancel of leaving.values()) cancel()
      await Promise.all([...channels.keys()].map(leave))
      await bus.close()
    },
  }
}

/** Whether every source has failed since the series was opened; one without sources has none to fail. */
function isWithoutSource(plan: SeriesPlan | undefined, { source, reason, sessionClass }: SeriesCondition, nowMs: number): boolean {
  if (source !== null || reason === liveText.starting || plan === undefined || plan.candidates.length === 0) return false
  return isTrading(sessionClass, nowMs)
}
