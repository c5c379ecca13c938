// Chooses the market's adapters for main.ts and gateway.ts: feeds, bus, and whether this process makes the data.
import { randomUUID } from 'node:crypto'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import type { Feed, FeedClock, FeedLog, SourceName } from './features/market/feed.ts'
import { realClock } from './features/market/feed-clock.ts'
import { binanceFeed } from './features/market/feeds/binance.ts'
import { coinbaseFeed } from './features/market/feeds/coinbase.ts'
import { csvFeed } from './features/market/feeds/csv.ts'
import { demoFeed } from './features/market/feeds/demo.ts'
import { kiteFeed } from './features/market/feeds/kite.ts'
import { krakenFeed } from './features/market/feeds/kraken.ts'
import { openalgoFeed } from './features/market/feeds/openalgo.ts'
import { twelveDataFeed } from './features/market/feeds/twelve-data.ts'
import { yahooFeed } from './features/market/feeds/yahoo.ts'
import { memoryBus } from './features/market/gateway/bus-memory.ts'
import { redisBus } from './features/market/gateway/bus-redis.ts'
import type { HubBus, MarketBus } from './features/market/gateway/bus.ts'
import { redisHubBus } from './features/market/gateway/hub-bus-redis.ts'
import { startHub, type Hub } from './features/market/gateway/hub.ts'
import { planSeries } from './features/market/gateway/series-plan.ts'
import { noteLicences } from './features/market/licence-log.ts'
import { unlicensedSources } from './features/market/licences.ts'
import type { MarketSetup, MarketWiring } from './features/market/market-data.ts'
import { hubPlaceOf } from './features/market/operator/hub-place.ts'
import { databaseChecks } from './features/market/store/database-checks.ts'
import { databaseStore } from './features/market/store/database-store.ts'
import { memoryCandles } from './features/market/store/memory-candles.ts'
import type { Metrics } from './metrics/metrics.ts'
import { missingSettings } from './missing-settings.ts'
import { marketReaders } from './process-metrics.ts'

export interface MarketNeeds {
  readonly config: Pick<Config, 'market' | 'redisUrl'>
  readonly db: Db
  readonly log: FeedLog
  readonly onError: (error: Error) => void
  readonly opened: AsyncDisposableStack
  readonly metrics?: Metrics | undefined
}

/** The market's adapters of a web process; with `hasHub` it also makes the data, alone or by turns with others. */
export async function openMarket(needs: MarketNeeds): Promise<MarketWiring> {
  const { config, db, log, onError, opened } = needs
  const clock = realClock
  const store = memoryCandles(databaseStore({ db, now: () => clock.now() }), { now: () => clock.now(), monotonic: () => clock.monotonic() })
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
    const day = (): string => new Date(clock.now()).toISOString().slice(0, 10)
    const plans = { feeds, licences, demo: config.market.hasDemo ? demo : undefined, demoHours: config.market.demoHours, clock }
    const started = startHub({
      bus: hub,
      store,
      checks: databaseChecks({ db, now: () => clock.now() }),
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
  const setup: MarketSetup = {
    hasDemo: config.market.hasDemo,
    firstChart: config.market.firstChart,
    missing: missingSettings(config.market),
    hubPlace: () => hubPlaceOf(bus, hub),
  }
  needs.metrics?.read(marketReaders(setup, running))
  return { bus, store, demo, licences, sources: new Set(feeds.keys()), clock, setup }
}

function openBus(config: MarketNeeds['config'], onError: (error: Error) => void): { bus: MarketBus; hub: HubBus | undefined } {
  if (config.redisUrl === undefined) return memoryBus()
  const hub = config.market.hasHub ? redisHubBus(config.redisUrl, onError, config.market.channel) : undefined
  return { bus: redisBus(config.redisUrl, onError, config.market.channel), hub }
}

/** The sources that are switched on and have what they need; each that is left out says why. */
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
