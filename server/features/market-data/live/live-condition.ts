// What the subscribers of a series are told about it: the hub's condition, and what this process cannot reach.
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { liveServerText, liveText } from '#shared/text/en/live.ts'
import type { SeriesCondition } from '../gateway/bus.ts'

const starting = { label: null, sessionClass: 'crypto', isStale: false, reason: liveText.starting } as const

/** `base` is the hub's condition, undefined before its first message. */
export function liveCondition(
  base: SeriesCondition | undefined,
  { isHubAway, isUnreadable }: { readonly isHubAway: boolean; readonly isUnreadable: boolean },
): LiveCondition {
  const { label, sessionClass, isStale, reason } = base ?? starting
  const trouble = isHubAway ? liveServerText.hubAway : isUnreadable ? liveServerText.unreadable : undefined
  return { label, sessionClass, isStale: isStale || trouble !== undefined, reason: trouble ?? reason }
}
