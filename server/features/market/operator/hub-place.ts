// Who makes the market data at the moment, as one process sees it.
import type { HubPlace } from '#shared/market/admin-contract.ts'
import type { HubBus, MarketBus } from '../gateway/bus.ts'

/** The place of the hub for a process with this bus and, where it may make the data, this hub's end of it. */
export function hubPlaceOf(bus: Pick<MarketBus, 'isHubAway'>, hub: Pick<HubBus, 'isAtWork'> | undefined): HubPlace {
  if (hub?.isAtWork() === true) return 'here'
  if (bus.isHubAway()) return 'silent'
  return hub === undefined ? 'elsewhere' : 'standby'
}
