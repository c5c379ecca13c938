// The own markets of the users whose pages this process serves: opened when first needed, bounded, closed with the last page.
import { hasPremium } from '#shared/users/access.ts'
import { brokerNames } from '#shared/brokers/contract.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { User } from '#shared/users/user.ts'
import { bindings } from '../bindings.ts'
import type { FeedClock } from '../feed.ts'
import type { BrokerAccount, BrokerAccounts } from '../brokers/broker-port.ts'
import type { OwnMarket } from './own-market.ts'

export interface OwnMarketsOptions {
  readonly accounts: BrokerAccounts
  /** Makes the market of an account; `onRefused` is called when its broker does not accept the credentials any more. */
  readonly open: (account: BrokerAccount, onRefused: () => void) => OwnMarket
  readonly clock: FeedClock
  readonly onError: (error: unknown) => void
  /** Users at once; one more sees what everybody sees. */
  readonly usersMax?: number
}

type Viewer = Pick<User, '_id' | 'role' | 'isPremium' | 'mustChangePassword' | 'mustAddSecondFactor' | 'consent'>

export interface OwnMarkets {
  /** Looks whether a user has a connection that works, and closes what is not theirs any more. Never rejects. */
  refresh(viewer: Viewer): Promise<void>
  /** The own market for an instrument, as of the last `refresh`; undefined where the user sees what everybody sees. */
  find(viewer: Viewer, instrument: Pick<Instrument, 'series'>): OwnMarket | undefined
  /** Both, for a single call. */
  marketOf(viewer: Viewer, instrument: Pick<Instrument, 'series'>): Promise<OwnMarket | undefined>
  /** Keeps the market of a user open while a page of theirs is; call the result at its end. */
  hold(userId: string): () => void
  readonly size: number
  close(): Promise<void>
}

interface Entry {
  readonly account: BrokerAccount
  readonly market: OwnMarket
  usedMs: number
}

const usersMaxDefault = 100
/** A page that reloads finds its connection again. */
const lingerMs = 10_000
const roundMs = 2_500
const brokerSeries = new Set(bindings.filter(({ source }) => brokerNames.some((name) => name === source)).map(({ series }) => series))

export function ownMarkets({ accounts, open, clock, onError, usersMax = usersMaxDefault }: OwnMarketsOptions): OwnMarkets {
  const entries = new Map<string, Entry>()
  const pages = new Map<string, number>()
  /** The newest look of each user; they come one after the other. */
  const refreshes = new Map<string, Promise<void>>()
  let isClosed = false

  function drop(userId: string): void {
    const entry = entries.get(userId)
    entries.delete(userId)
    entry?.market.close().catch(onError)
  }

  function openFor(userId: string, account: BrokerAccount): void {
    if (isClosed || entries.size >= usersMax) return
    const onRefused = (): void => {
      accounts.refused(userId, account.version).catch(onError)
    }
    entries.set(userId, { account, market: open(account, onRefused), usedMs: clock.monotonic() })
  }

  async function look(viewer: Viewer): Promise<void> {
    const { _id: userId } = viewer
    try {
      const account = hasPremium(viewer) ? await accounts.find(userId) : undefined
      if (entries.get(userId)?.account.version !== account?.version) drop(userId)
      if (account !== undefined && !entries.has(userId)) openFor(userId, account)
    } catch (error) {
      onError(error)
      drop(userId)
    }
  }

  function refresh(viewer: Viewer): Promise<void> {
    const done = (refreshes.get(viewer._id) ?? Promise.resolve()).then(() => look(viewer))
    refreshes.set(viewer._id, done)
    return done.finally(() => {
      if (refreshes.get(viewer._id) === done) refreshes.delete(viewer._id)
    })
  }

  function find(viewer: Viewer, { series }: Pick<Instrument, 'series'>): OwnMarket | undefined {
    const entry = entries.get(viewer._id)
    if (entry === undefined || !hasPremium(viewer)) return undefined
    const { expiresAtMs } = entry.account
    if ((expiresAtMs !== null && expiresAtMs <= clock.now()) || !entry.market.covers(series)) return undefined
    entry.usedMs = clock.monotonic()
    return entry.market
  }

  function round(): void {
    const nowMs = clock.monotonic()
    for (const [userId, entry] of entries) {
      const { expiresAtMs } = entry.account
      const isExpired = expiresAtMs !== null && expiresAtMs <= clock.now()
      if (pages.has(userId)) entry.usedMs = nowMs
      if (isExpired || nowMs - entry.usedMs >= lingerMs) drop(userId)
    }
  }
  let stopRounds = clock.after(roundMs, function again() {
    round()
    stopRounds = clock.after(roundMs, again)
  })

  return {
    refresh,
    find,
    async marketOf(viewer, instrument) {
      if (!brokerSeries.has(instrument.series)) return undefined
      await refresh(viewer)
      return find(viewer, instrument)
    },
    hold(userId) {
      pages.set(userId, (pages.get(userId) ?? 0) + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (pages.get(userId) ?? 1) - 1
        if (left > 0) pages.set(userId, left)
        else pages.delete(userId)
        const entry = entries.get(userId)
        if (entry !== undefined) entry.usedMs = clock.monotonic()
      }
    },
    get size() {
      return entries.size
    },
    async close() {
      isClosed = true
      stopRounds()
      const open = [...entries.values()]
      entries.clear()
      await Promise.all(open.map(({ market }) => market.close()))
    },
  }
}
