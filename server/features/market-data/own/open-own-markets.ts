// Users' own brokers in one web process: the service of the account page, and the markets of the connections.
import { randomUUID } from 'node:crypto'
import { brokersText } from '#shared/text/en/brokers.ts'
import type { Db } from '#server/db/database.ts'
import type { RateLimiter } from '#server/http/rate-limiter.ts'
import type { BrokerCredentials } from '#server/features/brokers/broker-port.ts'
import { BrokerService, type BrokerDeps } from '#server/features/brokers/service.ts'
import type { Feed, FeedClock, FeedLog } from '../feed.ts'
import type { OwnMarketOf } from '../history/candles-service.ts'
import { OwnMarket, type OwnMarketOptions } from './own-market.ts'
import { ownRejections } from './own-rejections.ts'
import { OwnMarkets } from './own-markets.ts'

/** Settings of the process; see `open-brokers.ts`. */
export interface BrokerAdapters extends Pick<BrokerDeps, 'box' | 'kiteApp' | 'kite' | 'checkOpenAlgo' | 'guard'> {
  readonly clock: FeedClock
  readonly log: FeedLog
  /** The feed of a user; `onRefused` is called once when the broker rejects the credentials. */
  readonly openFeed: (credentials: BrokerCredentials, onRejected: () => void) => Feed
  readonly newBus: () => OwnMarketOptions['bus']
}

export interface OwnMarketsDeps {
  readonly adapters: BrokerAdapters
  readonly db: Db
  readonly rateLimiter: RateLimiter
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
  /** Origin of the site. */
  readonly origin: string
}

export interface OpenedOwnMarkets {
  readonly brokers: BrokerService
  readonly own: OwnMarkets
  /** Ends the connections, and writes what is left. */
  readonly close: () => Promise<void>
  readonly ownMarketOf: OwnMarketOf
}

/** Opens all; connects only when a user needs it. */
export function openOwnMarkets({ adapters, ...deps }: OwnMarketsDeps): OpenedOwnMarkets {
  const { clock, log, openFeed, newBus } = adapters
  const { onError } = deps
  const brokers = new BrokerService({ ...adapters, ...deps })
  const rejections = ownRejections({ db: deps.db, clock, onError })
  const own = new OwnMarkets({
    accounts: brokers.accounts,
    open: (userId, { broker, credentials }, onRejected) =>
      new OwnMarket({
        feed: openFeed(credentials, onRejected),
        title: brokersText.sourceOf(brokersText.names[broker]),
        clock,
        log,
        onError,
        newEpoch: randomUUID,
        rejections: rejections.of(userId),
        bus: newBus(),
      }),
    clock,
    onError,
  })
  return {
    brokers,
    own,
    ownMarketOf: (viewer, instrument) => own.marketOf(viewer, instrument),
    async close() {
      await own.close()
      await rejections.close()
    },
  }
}
