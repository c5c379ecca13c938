// Chooses the adapters of users' own brokers for main.ts.
import type { Config } from './config.ts'
import type { KiteApp } from './features/market/brokers/broker-port.ts'
import type { FeedClock, FeedLog } from './features/market/feed.ts'
import { kiteLogin } from './features/market/feeds/kite-login.ts'
import { openAlgoCheck } from './features/market/feeds/openalgo-check.ts'
import { ownFeed, withRefusals } from './features/market/feeds/own-feed.ts'
import { memoryBus } from './features/market/gateway/bus-memory.ts'
import type { BrokerAdapters } from './features/market/own/open-own-markets.ts'
import { outboundGuard, type ResolveHost } from './outbound/outbound-guard.ts'
import { secretBox, type SecretBox } from './secret-box.ts'

export interface BrokerSettings {
  /** Encrypts what is stored; undefined where nothing can be connected. */
  readonly box: SecretBox | undefined
  /** One app for all users; undefined where each brings their own. */
  readonly kiteApp?: KiteApp | undefined
  /** Zerodha's own where undefined. */
  readonly kiteUrls?: {
    readonly restUrl?: string | undefined
    readonly socketUrl?: string | undefined
    readonly loginUrl?: string | undefined
  }
  /** Hosts that may have private addresses. */
  readonly hosts?: ReadonlySet<string>
  /** DNS; tests bring their own. */
  readonly resolve?: ResolveHost
}

/** Only a key of the configuration is good for the keys of users, which every server on the database has to read. */
export function brokerSettingsOf({ secretKey, previousSecretKey: previousKey, market }: Config): BrokerSettings {
  const { hosts, kiteApp, kiteLoginUrl: loginUrl } = market.brokers
  const box = secretKey && secretBox(secretKey, { purpose: 'broker connections', previousKey })
  return { box, kiteApp, hosts, kiteUrls: { ...market.urls.kite, loginUrl } }
}

/** The adapters; they dial nothing yet. */
export function openBrokers(settings: BrokerSettings, { clock, log }: { clock: FeedClock; log: FeedLog }): BrokerAdapters {
  const { box, kiteApp, kiteUrls: urls = {}, hosts = new Set(), resolve } = settings
  const guard = outboundGuard({ allowedHosts: hosts, ...(resolve && { resolve }) })
  return {
    box,
    kiteApp,
    guard,
    clock,
    log,
    kite: kiteLogin({ loginUrl: urls.loginUrl, restUrl: urls.restUrl, clock, log }),
    checkOpenAlgo: openAlgoCheck({ guard, clock, log }),
    openFeed: (credentials, onRefused) => withRefusals(ownFeed(credentials, { clock, log, kite: urls, guard }), onRefused),
    newBus: memoryBus,
  }
}
