// The markets of users' own brokers in one web process: opened with a user's page, bounded, closed with the last page.
import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import type { BrokerAccount, BrokerAccounts, BrokerCredentials } from '#server/features/brokers/types.ts'
import type { BrokerDeps } from '#server/features/brokers/service.ts'
import { brokerNames } from '#shared/brokers/contract.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { brokersText } from '#shared/brokers/text/en.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { repeat } from '../real-clock.ts'
import type { FeedClock, Feed, FeedLog } from '../feed.ts'
import { sourceBindings } from '../source-bindings.ts'
import { BrokerMarket, type BrokerMarketOptions } from './broker-market.ts'
import { brokerRejections, type BrokerRejections } from './broker-rejections.ts'

/** Settings of the process; see `open-market.ts`. */
export interface BrokerAdapters extends Pick<BrokerDeps, 'box' | 'kiteApp' | 'kite' | 'checkOpenAlgo' | 'guard'> {
  readonly clock: FeedClock
  readonly log: FeedLog
  /** The feed of a user; `onRejected` is called once when the broker rejects the credentials. */
  readonly openFeed: (credentials: BrokerCredentials, onRejected: () => void) => Feed
  readonly newBus: () => BrokerMarketOptions['bus']
}

export interface BrokerMarketsOptions extends Pick<BrokerAdapters, 'clock' | 'log' | 'openFeed' | 'newBus'> {
  readonly db: Db
  readonly accounts: BrokerAccounts
  readonly onError: (error: unknown) => void
}

type Viewer = Pick<User, '_id' | 'role' | 'isPremium' | 'mustChangePassword' | 'mustAddSecondFactor' | 'consent'>

interface Entry {
  readonly account: BrokerAccount
  readonly market: BrokerMarket
  usedMs: number
}

/** Maximum users at once; others see the shared market. */
const usersMax = 100
/** Keeps the connection during a page reload. */
const idleTimeoutMs = 10_000
const roundMs = 2_500
const brokerSeries = new Set(sourceBindings.filter(({ source }) => brokerNames.some((name) => name === source)).map(({ series }) => series))

/** Connects only when a user needs it. */
export class BrokerMarkets {
  readonly #options: BrokerMarketsOptions
  readonly #rejections: BrokerRejections
  readonly #entries = new Map<string, Entry>()
  readonly #pages = new Map<string, number>()
  /** The latest check of each user; checks run one after the other. */
  readonly #refreshes = new Map<string, Promise<void>>()
  #isClosed = false
  readonly #stopRounds: () => void

  constructor(options: BrokerMarketsOptions) {
    this.#options = options
    this.#rejections = brokerRejections(options)
    this.#stopRounds = repeat(options.clock, roundMs, () => this.#round())
  }

  /** Checks whether a user has a usable connection, and closes outdated ones. Never rejects. */
  refresh(viewer: Viewer): Promise<void> {
    const done = (this.#refreshes.get(viewer._id) ?? Promise.resolve()).then(() => this.#check(viewer))
    this.#refreshes.set(viewer._id, done)
    return done.finally(() => {
      if (this.#refreshes.get(viewer._id) === done) this.#refreshes.delete(viewer._id)
    })
  }

  /** The market of the user's broker for an instrument, as of the last `refresh`; undefined if the user sees the shared one. */
  find(viewer: Viewer, { series }: Pick<Instrument, 'series'>): BrokerMarket | undefined {
    const entry = this.#entries.get(viewer._id)
    if (entry === undefined || !hasPremium(viewer)) return undefined
    const { expiresAtMs } = entry.account
    if ((expiresAtMs !== null && expiresAtMs <= this.#options.clock.now()) || !entry.market.covers(series)) return undefined
    entry.usedMs = this.#options.clock.monotonic()
    return entry.market
  }

  /** Both, for a single call. */
  async marketOf(viewer: Viewer, instrument: Pick<Instrument, 'series'>): Promise<BrokerMarket | undefined> {
    if (!brokerSeries.has(instrument.series)) return undefined
    await this.refresh(viewer)
    return this.find(viewer, instrument)
  }

  /** Keeps a user's market open for one of their pages; call the returned function at its end. */
  addPage(userId: string): () => void {
    this.#pages.set(userId, (this.#pages.get(userId) ?? 0) + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const left = (this.#pages.get(userId) ?? 1) - 1
      if (left > 0) this.#pages.set(userId, left)
      else this.#pages.delete(userId)
      const entry = this.#entries.get(userId)
      if (entry !== undefined) entry.usedMs = this.#options.clock.monotonic()
    }
  }

  get size(): number {
    return this.#entries.size
  }

  /** Ends the connections, and writes what is left. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopRounds()
    const open = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.all(open.map(({ market }) => market.close()))
    await this.#rejections.close()
  }

  #drop(userId: string): void {
    const entry = this.#entries.get(userId)
    this.#entries.delete(userId)
    entry?.market.close().catch(this.#options.onError)
  }

  #openFor(userId: string, account: BrokerAccount): void {
    if (this.#isClosed || this.#entries.size >= usersMax) return
    const { accounts, clock, log, onError, openFeed, newBus } = this.#options
    const { broker, credentials, version } = account
    const market = new BrokerMarket({
      feed: openFeed(credentials, () => void accounts.refused(userId, version).catch(onError)),
      title: brokersText.sourceOf(brokersText.names[broker]),
      clock,
      log,
      onError,
      newEpoch: randomUUID,
      rejections: this.#rejections.of(userId),
      bus: newBus(),
    })
    this.#entries.set(userId, { account, market, usedMs: clock.monotonic() })
  }

  async #check(viewer: Viewer): Promise<void> {
    const { _id: userId } = viewer
    try {
      const account = hasPremium(viewer) ? await this.#options.accounts.find(userId) : undefined
      if (this.#entries.get(userId)?.account.version !== account?.version) this.#drop(userId)
      if (account !== undefined && !this.#entries.has(userId)) this.#openFor(userId, account)
    } catch (error) {
      this.#options.onError(error)
      this.#drop(userId)
    }
  }

  #round(): void {
    const nowMs = this.#options.clock.monotonic()
    for (const [userId, entry] of this.#entries) {
      const { expiresAtMs } = entry.account
      const isExpired = expiresAtMs !== null && expiresAtMs <= this.#options.clock.now()
      if (this.#pages.has(userId)) entry.usedMs = nowMs
      if (isExpired || nowMs - entry.usedMs >= idleTimeoutMs) this.#drop(userId)
    }
  }
}
