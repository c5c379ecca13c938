// The present minute by the server's clock, for texts that change with a market's hours.
import { useMemo, useSyncExternalStore } from 'react'
import { minuteMs } from '#shared/base/durations.ts'
import type { Moment } from '#shared/market/market-badges.ts'
import { pageClock } from '#web/lib/use-now.ts'
import { browserZone } from './browser-zone.ts'
import { serverOffsetMs } from './server-clock.ts'

/** Renewed when a minute begins, which is when markets open and close; only the component that asks renders again. */
export function useMarketMoment(): Moment {
  const nowMs = useSyncExternalStore(pageClock.onSecond, readMinute)
  return useMemo(() => ({ nowMs, zone: browserZone }), [nowMs])
}

function readMinute(): number {
  return Math.floor((pageClock.nowMs() + serverOffsetMs()) / minuteMs) * minuteMs
}
