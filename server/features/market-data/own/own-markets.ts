// The own markets of users with open pages in this process: opened on demand, bounded, closed with the last page.
import { hasPremium } from '#shared/users/access-restriction.ts'
import { brokerNames } from '#shared/brokers/contract.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { User } from '#shared/users/user.ts'
import { bindings } from '../instrument-sources.ts'
import type { FeedClock } from '../feed.ts'
import { repeat } from '../feed-clock.ts'
import type { BrokerAccount, BrokerAccounts } from '#server/features/brokers/broker-port.ts'
import type { OwnMarket } from './own-market.ts'

export interface OwnMarketsOptions {
  readonly accounts: BrokerAccounts
  /** Creates the market of an account; `onRefused` is called when its broker rejects the credentials. */
  readonly open: (userId: string, account: BrokerAccount, onRejected: () => void) => OwnMarket
  readonly clock: FeedClock
  readonly onError: (error: unknown) => void
  /** Maximum users at once; others see the shared market. */
  readonly usersMax?: number
}

type Viewer = Pick<User, '_id' | 'role' | 'isPremium' | 'mustChangePassword' | 'mustAddSecondFactor' | 'consent'>

interface Entry {
  readonly account: BrokerAccount
  readonly market: OwnMarket
  usedMs: number
}

const usersMaxDefault = 100
/** Keeps the connection during a page reload. */
const idleTimeoutMs = 10_000
const roundMs = 2_500
const brokerSeries = new Set(bindings.filter(({ source }) => brokerNames.some((name) => name === source)).map(({ series }) => series))

export class OwnMarkets {
  readonly #options: OwnMarketsOptions
  readonly #usersMax: number
  readonly #entries = new Map<string, Entry>()
  readonly #pages = new Map<string, number>()
  /** The latest check of each user; checks run one after the other. */
  readonly #refreshes = new Map<string, Promise<void>>()
  #isClosed = false
  readonly #stopRounds: () => void

  constructor(options: OwnMarketsOptions) {
    this.#options = options
    this.#usersMax = options.usersMax ?? usersMaxDefault
    this.#stopRounds = repeat(options.clock, roundMs, () => this.#round())
  }

  /** Checks whether a user has a usable connection, and closes outdated ones. Never rejects. */
  refresh(viewer: Viewer): Promise<void> {
    const done = (this.#refreshes.get(viewer._id) ?? Promise.resolve()).then(() => this.#look(viewer))
    this.#refreshes.set(viewer._id, done)
    return done.finally(() => {
      if (this.#refreshes.get(viewer._id) === done) this.#refreshes.delete(viewer._id)
    })
  }

  /** The own market for an instrument, as of the last `refresh`; undefined if the user sees the shared one. */
  find(viewer: Viewer, { series }: Pick<Instrument, 'series'>): OwnMarket | undefined {
    const entry = this.#entries.get(viewer._id)
    if (entry === undefined || !hasPremium(viewer)) return undefined
    const { expiresAtMs } = entry.account
    if ((expiresAtMs !== null && expiresAtMs <= this.#options.clock.now()) || !entry.market.covers(series)) return undefined
    entry.usedMs = this.#options.clock.monotonic()
    return entry.market
  }

  /** Both, for a single call. */
  async marketOf(viewer: Viewer, instrument: Pick<Instrument, 'series'>): Promise<OwnMarket | undefined> {
    if (!brokerSeries.has(instrument.series)) return undefined
    await this.refresh(viewer)
    return this.find(viewer, instrument)
  }

  /** Keeps a user's market open for one of their pages; call the returned function at its end. */
  addPage(userId: string): () => void {
    this.#pages.set(userId, (this.#pages.get(userId) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
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

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopRounds()
    const open = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.all(open.map(({ market }) => market.close()))
  }

  #drop(userId: string): void {
    const entry = this.#entries.get(userId)
    this.#entries.delete(userId)
    entry?.market.close().catch(this.#options.onError)
  }

  #openFor(userId: string, account: BrokerAccount): void {
    if (this.#isClosed || this.#entries.size >= this.#usersMax) return
    const onRejected = (): void => {
      this.#options.accounts.refused(userId, account.version).catch(this.#options.onError)
    }
    this.#entries.set(userId, { account, market: this.#options.open(userId, account, onRejected), usedMs: this.#options.clock.monotonic() })
  }

  async #look(viewer: Viewer): Promise<void> {
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
