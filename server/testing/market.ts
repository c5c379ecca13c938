// Market data of a test app: the demo market on the test's clock, with the hub in this process.
import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import type { FirstChart } from '#shared/chart/chart-choice.ts'
import { realClock } from '#server/features/market-data/real-clock.ts'
import type { DemoHours, Feed, FeedClock, SourceName } from '#server/features/market-data/feed.ts'
import { demoFeed } from '#server/features/market-data/feeds/demo-feed.ts'
import { memoryBus } from '#server/features/market-data/gateway/market-bus.ts'
import { startHub } from '#server/features/market-data/gateway/hub.ts'
import { planSeries } from '#server/features/market-data/gateway/series-plan.ts'
import type { Licences } from '#server/features/market-data/licences.ts'
import type { MarketWiring } from '#server/features/market-data/live/market-data.ts'
import { databaseChecks } from '#server/features/market-data/gateway/check-adjustment.ts'
import { databaseRejectedRows } from '#server/features/market-data/store/rejected-rows.ts'
import { databaseStore } from '#server/features/market-data/store/database-store.ts'
import type { SourceReach } from '#server/features/market-data/source-probes.ts'
import { CandleCache } from '#server/features/market-data/store/candle-cache.ts'

export interface TestMarket {
  readonly wiring: MarketWiring
  close(): Promise<void>
}

export interface TestMarketOptions {
  readonly feeds?: ReadonlyMap<SourceName, Feed>
  readonly licences?: Licences
  readonly hasDemo?: boolean
  readonly firstChart?: FirstChart
  readonly demoHours?: DemoHours
  /** Missing settings of enabled sources. */
  readonly missing?: ReadonlyMap<SourceName, readonly string[]>
  /** What the sources have answered when they were asked. */
  readonly reach?: ReadonlyMap<SourceName, SourceReach>
}

/** Timers are real, the time is the test's own. */
export function testMarket(db: Db, now: () => number, options: TestMarketOptions = {}): TestMarket {
  const {
    feeds = new Map<SourceName, Feed>(),
    licences = new Map(),
    hasDemo = true,
    demoHours = 'always',
    firstChart = 'tradingview',
    missing = new Map(),
    reach = new Map<SourceName, SourceReach>(),
  } = options
  const clock: FeedClock = { ...realClock(), now }
  const demo = demoFeed({ clock, hours: demoHours })
  const store = new CandleCache(databaseStore({ db, now }), { now, monotonic: now })
  const { bus, hub } = memoryBus()
  const plans = { feeds, licences, demo: hasDemo ? demo : undefined, demoHours, clock }
  const running = startHub({
    bus: hub,
    store,
    checks: databaseChecks({ db, now }),
    rejectedRows: databaseRejectedRows({ db, now }),
    planOf: (series) => planSeries(plans, series, new Date(now()).toISOString().slice(0, 10)),
    clock,
    log: () => undefined,
    newEpoch: randomUUID,
  })
  return {
    wiring: {
      bus,
      store,
      demo,
      licences,
      sources: new Set(feeds.keys()),
      clock,
      probes: { sources: new Set(feeds.keys()), reach: () => reach },
      setup: { hasDemo, firstChart, missing, hubPlace: () => 'here' },
    },
    async close() {
      await running.close()
      await demo.close()
    },
  }
}
