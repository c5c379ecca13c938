// Chooses the adapters of users' own brokers for main.ts.
import type { Config } from './config/config.ts'
import type { KiteApp } from './features/brokers/types.ts'
import type { FeedClock, FeedLog } from './features/market-data/feed.ts'
import { kiteLogin } from './features/market-data/feeds/kite-login.ts'
import { openAlgoCheck } from './features/market-data/feeds/openalgo-feed.ts'
import { brokerFeed, withRejections } from './features/market-data/feeds/broker-feed.ts'
import { memoryBus } from './features/market-data/gateway/market-bus.ts'
import type { BrokerAdapters } from './features/market-data/broker/broker-markets.ts'
import { outboundGuard, type ResolveHost } from './outbound/outbound-guard.ts'
import type { Proxy } from './outbound/proxy.ts'
import { secretBox, type SecretBox } from './secrets/secret-box.ts'

export interface BrokerSettings {
  /** Encrypts stored data; undefined disables connections. */
  readonly box: SecretBox | undefined
  /** One app for all users; undefined if users bring their own. */
  readonly kiteApp?: KiteApp | undefined
  /** Zerodha's own if undefined. */
  readonly kiteUrls?: NonNullable<Config['market']['urls']['kite']>
  /** Hosts that may have private addresses. */
  readonly hosts?: ReadonlySet<string>
  /** DNS; tests pass a fake. */
  readonly resolve?: ResolveHost
  readonly proxy?: Proxy | undefined
}

/** Only a configured key may encrypt users' keys, because every server on the database has to read them. */
export function brokerSettingsOf({ secretKey, previousSecretKey: previousKey, market, proxy }: Config): BrokerSettings {
  const { hosts, kiteApp, kiteLoginUrl: loginUrl } = market.brokers
  const box = secretKey && secretBox(secretKey, { purpose: 'broker connections', previousKey })
  return { box, kiteApp, hosts, kiteUrls: { ...market.urls.kite, loginUrl }, proxy }
}

/** The adapters; they do not connect yet. */
export function openBrokers(settings: BrokerSettings, { clock, log }: { clock: FeedClock; log: FeedLog }): BrokerAdapters {
  const { box, kiteApp, kiteUrls: urls = {}, hosts = new Set(), resolve, proxy } = settings
  const guard = outboundGuard({ allowedHosts: hosts, proxy, ...(resolve && { resolve }) })
  return {
    box,
    kiteApp,
    guard,
    clock,
    log,
    kite: kiteLogin({ loginUrl: urls.loginUrl, restUrl: urls.restUrl, clock, log }),
    checkOpenAlgo: openAlgoCheck({ fetch: guard.fetch, clock, log }),
    openFeed: (credentials, onRejected) => withRejections(brokerFeed(credentials, { clock, log, kite: urls, guard }), onRejected),
    newBus: memoryBus,
  }
}
