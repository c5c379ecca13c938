// Current minute by the server's clock, for texts that depend on trading hours.
import { useMemo, useSyncExternalStore } from 'react'
import { minuteMs } from '#shared/base/durations.ts'
import type { Moment } from '#shared/chart/market-badge.ts'
import { pageClock } from '#web/lib/page-clock.ts'
import { browserZone } from './browser-zone.ts'
import { serverOffsetMs } from './server-offset.ts'

/** Updates once a minute, which is when markets open and close; re-renders only the calling component. */
export function useMarketMoment(): Moment {
  const nowMs = useSyncExternalStore(pageClock.onSecond, readMinute)
  return useMemo(() => ({ nowMs, zone: browserZone }), [nowMs])
}

function readMinute(): number {
  return Math.floor((pageClock.nowMs() + serverOffsetMs()) / minuteMs) * minuteMs
}
