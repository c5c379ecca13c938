// Which process is the active market data hub, as seen by one process.
import type { HubPlace } from '#shared/market-admin/contract.ts'
import type { HubBus, MarketBus } from './gateway/bus.ts'

/** The hub's place for a process with this bus and, if it may be the hub, its hub end. */
export function hubPlaceOf(bus: Pick<MarketBus, 'isHubAway'>, hub: Pick<HubBus, 'isAtWork'> | undefined): HubPlace {
  if (hub?.isAtWork() === true) return 'here'
  if (bus.isHubAway()) return 'silent'
  return hub === undefined ? 'elsewhere' : 'standby'
}
