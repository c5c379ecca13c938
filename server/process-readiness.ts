// Readiness checks of web processes and the gateway.
import type { MarketWiring } from './features/market-data/live/market-data.ts'
import type { Hub } from './features/market-data/gateway/hub.ts'
import { pricesState, sourceStates } from './features/market-data/source-states.ts'
import { readinessOf, type Readiness } from './http/readiness.ts'

export interface ProcessReadinessOptions {
  /** Rejects within 2 seconds if the database does not respond. */
  readonly ping: () => Promise<void>
  readonly market: Pick<MarketWiring, 'bus' | 'setup' | 'probes'> & { readonly hub?: Pick<Hub, 'report'> | undefined }
  readonly onError: (error: unknown) => void
}

/** The hub knows every followed series. */
const noViews = { conditions: () => new Map<string, never>() }

/** Sign-in, payments and stored candles work without Redis and the hub; a gateway is useless without them. */
export function processReadiness(kind: 'web' | 'gateway', { ping, market, onError }: ProcessReadinessOptions): Readiness {
  return readinessOf({
    checks: {
      database: () => ping().then(() => true),
      redis: () => market.bus.isConnected(),
      'market-hub': () => market.setup.hubPlace() !== 'silent',
      prices: () => pricesState(sourceStates({ hub: market.hub, views: noViews, probes: market.probes })) !== 'failing',
    },
    required: new Set(kind === 'web' ? ['database'] : ['database', 'redis', 'market-hub']),
    onError,
  })
}
