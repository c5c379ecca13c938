// Chooses the market's adapters for main.ts and gateway.ts: feeds, bus, whether this process may be the hub, and users' brokers.
import { randomUUID } from 'node:crypto'
import type { Db, Replica } from './db/database.ts'
import { openReplica } from './db/open-replica.ts'
import { historySteps, type Feed, type FeedClock, type FeedLog, type SourceName } from './features/market-data/feed.ts'
import { watchCalendars } from './features/calendars/service.ts'
import { realClock } from './features/market-data/real-clock.ts'
import { binanceFeed } from './features/market-data/feeds/binance-feed.ts'
import { coinbaseFeed } from './features/market-data/feeds/coinbase-feed.ts'
import { csvFeed } from './features/market-data/feeds/csv-feed.ts'
import { demoFeed } from './features/market-data/feeds/demo-feed.ts'
import { kiteFeed } from './features/market-data/feeds/kite-feed.ts'
import { kiteLogin } from './features/market-data/feeds/kite-login.ts'
import { krakenFeed } from './features/market-data/feeds/kraken-feed.ts'
import { openAlgoCheck, openalgoFeed } from './features/market-data/feeds/openalgo-feed.ts'
import { twelveDataFeed } from './features/market-data/feeds/twelve-data-feed.ts'
import { yahooFeed } from './features/market-data/feeds/yahoo-feed.ts'
import { hubPlaceOf, memoryBus, type HubBus, type MarketBus } from './features/market-data/gateway/market-bus.ts'
import { RedisSubscriber } from './features/market-data/gateway/redis-subscriber.ts'
import { RedisPublisher } from './features/market-data/gateway/redis-publisher.ts'
import { startHub, type Hub } from './features/market-data/gateway/hub.ts'
import { planSeries } from './features/market-data/gateway/series-plan.ts'
import { noteLicences } from './features/market-data/note-licences.ts'
import { unlicensedSources } from './features/market-data/licences.ts'
import { probeSources } from './features/market-data/source-probes.ts'
import type { MarketSetup, MarketWiring } from './features/market-data/live/market-data.ts'
import { databaseChecks } from './features/market-data/gateway/check-adjustment.ts'
import { databaseRejectedMessages } from './features/market-data/store/rejected-messages.ts'
import { databaseRejectedRows } from './features/market-data/store/rejected-rows.ts'
import { databaseStore } from './features/market-data/store/database-store.ts'
import { CandleCache } from './features/market-data/store/candle-cache.ts'
import { watchReplacedCandles } from './features/market-data/store/replaced-candles.ts'
import type { Metrics } from './metrics/metrics.ts'
import { missingSettings } from './config/market-config.ts'
import { marketReaders, replicaReaders } from './open-monitoring.ts'
import type { Config } from './config/config.ts'
import type { KiteApp } from './features/brokers/types.ts'
import { brokerFeed, withRejections } from './features/market-data/feeds/broker-feed.ts'
import type { BrokerAdapters } from './features/market-data/broker/broker-markets.ts'
import { outboundGuard, type ResolveHost } from './outbound/outbound-guard.ts'
import type { Proxy } from './outbound/proxy.ts'
import { secretBox, type SecretBox } from './secrets/secret-box.ts'

export interface MarketOptions {
  readonly config: Pick<Config, 'market' | 'redisUrl' | 'databaseReplicaUrl' | 'database'>
  readonly db: Db
  readonly log: FeedLog
  readonly onError: (error: unknown) => void
  readonly opened: AsyncDisposableStack
  readonly metrics?: Metrics | undefined
}

/** The market's adapters of a web process; with `hasHub` it is also a hub, alone or with a lease. */
export async function openMarket(options: MarketOptions): Promise<MarketWiring & { readonly hub: Hub | undefined }> {
  const { config, db, log, onError, opened } = options
  const clock = realClock(onError)
  const replica = openHistoryReplica(options, clock)
  const store = new CandleCache(databaseStore({ db, now: () => clock.now(), replica, log }), clock)
  const demo = demoFeed({ clock, hours: config.market.demoHours, log })
  const { licences } = config.market
  await noteLicences(db, licences, new Date(clock.now()))
  const { bus, hub } = openBus(config, onError)
  const feeds = chooseFeeds(config.market, clock, log)
  for (const [source, holders] of unlicensedSources(licences, new Set(feeds.keys()))) {
    const words = holders.map((holder) => `${holder}=licensed:REFERENCE`).join(',')
    log('prices are not shown', { source, reason: `MARKET_LICENCES lacks ${words}, or another licence of ${holders.join(', ')}` })
  }
  let running: Hub | undefined
  if (hub !== undefined) {
    const tables = hubTables(options, clock)
    opened.defer(() => tables.rejectedMessages.close())
    const day = (): string => new Date(clock.now()).toISOString().slice(0, 10)
    const plans = { feeds, licences, demo: config.market.hasDemo ? demo : undefined, demoHours: config.market.demoHours, clock }
    const started = startHub({
      bus: hub,
      store,
      ...tables,
      planOf: (series) => planSeries(plans, series, day()),
      clock,
      log,
      newEpoch: randomUUID,
    })
    running = started
    opened.defer(async () => {
      await started.close()
      await Promise.all([...feeds.values(), demo].map((feed) => feed.close()))
    })
  }
  opened.defer(await watchCalendars(db, clock, onError))
  const setup: MarketSetup = {
    hasDemo: config.market.hasDemo,
    firstChart: config.market.firstChart,
    missing: missingSettings(config.market),
    hubPlace: () => hubPlaceOf(bus, hub),
  }
  opened.defer(
    watchReplacedCandles({
      db,
      clock,
      onError,
      onReplaced: async ({ series, source }) => {
        await Promise.all(historySteps.map((step) => store.recheck({ series, source, step })))
        running?.replaced(series)
      },
    }),
  )
  const probes = probeSources({ feeds, licences, clock, log, isHub: () => hub?.isActive() === true })
  opened.defer(() => probes.stop())
  options.metrics?.read(marketReaders(setup, running))
  return { bus, store, demo, licences, sources: new Set(feeds.keys()), clock, setup, probes, hub: running }
}

/** What a hub notes beside the candles. */
function hubTables({ db, onError }: Pick<MarketOptions, 'db' | 'onError'>, clock: FeedClock) {
  const now = (): number => clock.now()
  return {
    checks: databaseChecks({ db, now }),
    rejectedRows: databaseRejectedRows({ db, now }),
    rejectedMessages: databaseRejectedMessages({ db, clock, onError, isOwn: false }),
  }
}

/** The replica that serves long ranges of candles, if one is configured. */
function openHistoryReplica({ config, db, log, opened, metrics }: MarketOptions, clock: FeedClock): Replica | undefined {
  const { databaseReplicaUrl: databaseUrl, database: limits } = config
  if (databaseUrl === undefined) return undefined
  const replica = openReplica({ databaseUrl, primary: db, limits, log: (line) => log(line), monotonic: () => clock.monotonic() })
  opened.defer(() => replica.close())
  metrics?.read(replicaReaders(replica))
  return replica
}

function openBus(config: MarketOptions['config'], onError: (error: unknown) => void): { bus: MarketBus; hub: HubBus | undefined } {
  if (config.redisUrl === undefined) return memoryBus()
  const hub = config.market.hasHub ? new RedisPublisher(config.redisUrl, onError, config.market.channel) : undefined
  return { bus: new RedisSubscriber(config.redisUrl, onError, config.market.channel), hub }
}

/** The enabled and complete sources; each skipped one is logged with its reason. */
export function chooseFeeds(market: Config['market'], clock: FeedClock, log: FeedLog): ReadonlyMap<SourceName, Feed> {
  const { sources, urls } = market
  const missing = missingSettings(market)
  const feeds = new Map<SourceName, Feed>()
  const common = (source: SourceName) => {
    const { restUrl, socketUrl } = urls[source] ?? {}
    return { ...(restUrl === undefined ? {} : { restUrl }), ...(socketUrl === undefined ? {} : { socketUrl }), clock, log }
  }
  const offer = (source: SourceName, open: () => Feed): void => {
    if (!sources.has(source)) return
    const absent = missing.get(source)
    if (absent === undefined) feeds.set(source, open())
    else log('source is not used', { source, reason: `not set: ${absent.join(', ')}` })
  }
  const { twelveDataKey, twelveDataCredits, kiteKey, kiteToken, openAlgoKey, csvDir } = market
  offer('binance', () => binanceFeed(common('binance')))
  offer('kraken', () => krakenFeed(common('kraken')))
  offer('coinbase', () => coinbaseFeed(common('coinbase')))
  offer('yahoo', () => yahooFeed(common('yahoo')))
  offer('twelve-data', () =>
    twelveDataFeed({
      ...common('twelve-data'),
      apiKey: twelveDataKey ?? '',
      ...(twelveDataCredits === undefined ? {} : { credits: twelveDataCredits }),
    }),
  )
  offer('kite', () => kiteFeed({ ...common('kite'), apiKey: kiteKey ?? '', accessToken: kiteToken ?? '' }))
  offer('openalgo', () => openalgoFeed({ ...common('openalgo'), apiKey: openAlgoKey ?? '' }))
  offer('csv', () => csvFeed({ dir: csvDir ?? '', clock }))
  return feeds
}

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
