// Users' own brokers in one web process: the service of the account page, and the markets that the connections make.
import { randomUUID } from 'node:crypto'
import { brokersText } from '#shared/text/en/brokers.ts'
import type { Db } from '#server/db/database.ts'
import type { Limits } from '#server/http/limits.ts'
import type { BrokerCredentials } from '../brokers/broker-port.ts'
import { brokerService, type BrokerDeps, type BrokerService } from '../brokers/service.ts'
import type { Feed, FeedClock, FeedLog } from '../feed.ts'
import type { OwnMarketOf } from '../history/candles-service.ts'
import { ownMarket, type OwnMarketOptions } from './own-market.ts'
import { ownMarkets, type OwnMarkets } from './own-markets.ts'

/** What the process chooses; see `open-brokers.ts`. */
export interface BrokerAdapters extends Pick<BrokerDeps, 'box' | 'kiteApp' | 'kite' | 'checkOpenAlgo' | 'guard'> {
  readonly clock: FeedClock
  readonly log: FeedLog
  /** The feed of a user; `onRefused` is called once when the broker does not accept the credentials any more. */
  readonly openFeed: (credentials: BrokerCredentials, onRefused: () => void) => Feed
  readonly newBus: () => OwnMarketOptions['bus']
}

export interface OwnMarketsDeps {
  readonly adapters: BrokerAdapters
  readonly db: Db
  readonly limits: Limits
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
  /** Origin of the site. */
  readonly origin: string
}

export interface OpenedOwnMarkets {
  readonly brokers: BrokerService
  /** To be closed. */
  readonly own: OwnMarkets
  readonly ownMarketOf: OwnMarketOf
}

/** Opens all; nothing is dialled before a user looks. */
export function openOwnMarkets({ adapters, ...deps }: OwnMarketsDeps): OpenedOwnMarkets {
  const { clock, log, openFeed, newBus } = adapters
  const { onError } = deps
  const brokers = brokerService({ ...adapters, ...deps })
  const own = ownMarkets({
    accounts: brokers.accounts,
    open: ({ broker, credentials }, onRefused) =>
      ownMarket({
        feed: openFeed(credentials, onRefused),
        title: brokersText.sourceOf(brokersText.names[broker]),
        clock,
        log,
        onError,
        newEpoch: randomUUID,
        bus: newBus(),
      }),
    clock,
    onError,
  })
  return { brokers, own, ownMarketOf: (viewer, instrument) => own.marketOf(viewer, instrument) }
}
