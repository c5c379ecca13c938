// Makes the market data: follows what somebody wants, stores what is closed, numbers what changes, at most four times a second.
import type { CandleStore } from '../store/candle-store.ts'
import type { FeedClock, FeedLog } from '../feed.ts'
import type { AdjustmentChecks } from './adjustment-check.ts'
import type { HubBus } from './bus.ts'
import { seriesChannel, type SeriesChannel } from './series-channel.ts'
import type { SeriesPlan } from './series-plan.ts'

/** Somebody who changes the instrument comes back often enough to keep its feed for a while. */
const lingerMs = 30_000
/** Repeats the state of quiet series, so that it is there for who comes late. */
const repeatMs = 20_000

export interface HubNeeds {
  readonly bus: HubBus
  readonly store: CandleStore
  readonly checks: AdjustmentChecks
  /** The plan of a series key now, or undefined for a key that is none. */
  readonly planOf: (series: string) => SeriesPlan | undefined
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Makes epochs; different in every process and at every call. */
  readonly newEpoch: () => string
}

export interface Hub {
  /** What is followed at the moment and how it is, for operators. */
  report(): readonly {
    readonly series: string
    readonly source: string | null
    readonly isStale: boolean
    readonly reason: string | null
    /** Since the source last said something new, in milliseconds; undefined while it has not. */
    readonly ageMs: number | undefined
  }[]
  close(): Promise<void>
}

/** Starts following whatever the bus wants; one hub serves all web processes. */
export function startHub(needs: HubNeeds): Hub {
  const { bus, clock } = needs
  const channels = new Map<string, SeriesChannel>()
  const leaving = new Map<string, () => void>()

  function follow(wanted: ReadonlySet<string>): void {
    for (const series of wanted) {
      const isBack = leaving.has(series)
      leaving.get(series)?.()
      leaving.delete(series)
      // A bus forgets the state of what nobody wants, and a quiet series would not state it for a while.
      if (isBack) channels.get(series)?.repeat()
      if (channels.has(series)) continue
      const plan = needs.planOf(series)
      if (plan !== undefined) channels.set(series, seriesChannel({ ...needs, series, plan }))
    }
    for (const series of channels.keys())
      if (!wanted.has(series) && !leaving.has(series))
        leaving.set(
          series,
          clock.after(lingerMs, () => void leave(series)),
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
  let stopRepeating = clock.after(repeatMs, function again() {
    repeatAll()
    stopRepeating = clock.after(repeatMs, again)
  })

  bus.onRestored(repeatAll)
  bus.onExtend((series, timeframe, beforeMs) => channels.get(series)?.extend(timeframe, beforeMs) ?? Promise.resolve(false))
  bus.onWanted(follow)

  return {
    report: () =>
      [...channels].map(([series, channel]) => {
        const { source, isStale, reason } = channel.condition()
        return { series, source, isStale, reason, ageMs: channel.ageMs() }
      }),
    async close() {
      stopRepeating()
      for (const cancel of leaving.values()) cancel()
      await Promise.all([...channels.keys()].map(leave))
      await bus.close()
    },
  }
}
