// Presence of pages with an open socket: the sockets of a process share one write a second.
import { randomUUID } from 'node:crypto'
import type { CurrentSession } from '#server/http/session.ts'
import { presenceMs, type Presence, type Tab } from './presence.ts'

const roundMs = 1_000
/** Renewal interval of an open socket. */
const renewMs = presenceMs - 30_000
/** How long a page whose connection was lost stays present: it reconnects, and a new socket is a new tab. */
const lostMs = 10_000
/** Maximum tabs of one kind in one write; the rest follow a second later. */
const batchMax = 5_000

interface Clock {
  now(): number
  monotonic(): number
  after(delayMs: number, run: () => void): () => void
}

export interface SocketPresenceOptions {
  readonly presence: Pick<Presence, 'renew'>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Tabs in the order in which they are due, on the monotonic clock. */
type Schedule = Map<Tab, number>

export class SocketPresence {
  readonly #options: SocketPresenceOptions
  readonly #opened: Schedule = new Map()
  readonly #renewed: Schedule = new Map()
  readonly #lost: Schedule = new Map()
  readonly #gone: Schedule = new Map()
  #isClosed = false
  #writing: Promise<void> = Promise.resolve()
  #cancel: () => void

  constructor(options: SocketPresenceOptions) {
    this.#options = options
    this.#cancel = options.clock.after(roundMs, () => this.#round())
  }

  /** Counts an open page until the returned function is called; `isGone` is false for a lost connection. */
  attend({ id: sessionId, user }: CurrentSession): (isGone: boolean) => void {
    const tab: Tab = { userId: user._id, sessionId, tabId: randomUUID() }
    this.#opened.set(tab, 0)
    return (isGone) => {
      // Rows stay at a stop of the process: the pages reconnect to another one, and what does not come back expires.
      if (this.#opened.delete(tab) || !this.#renewed.delete(tab) || this.#isClosed) return
      if (isGone) this.#gone.set(tab, 0)
      else this.#lost.set(tab, this.#options.clock.monotonic() + lostMs)
    }
  }

  /** Stops writing, after the write in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel()
    await this.#writing
  }

  #round(): void {
    this.#writing = this.#write().finally(() => {
      if (!this.#isClosed) this.#cancel = this.#options.clock.after(roundMs, () => this.#round())
    })
  }

  async #write(): Promise<void> {
    const nowMs = this.#options.clock.monotonic()
    const seen = [...take(this.#opened, nowMs), ...take(this.#renewed, nowMs)]
    const gone = [...take(this.#gone, nowMs), ...take(this.#lost, nowMs)]
    if (seen.length === 0 && gone.length === 0) return
    for (const tab of seen) this.#renewed.set(tab, nowMs + renewMs)
    try {
      await this.#options.presence.renew({ seen, gone }, this.#options.clock.now())
    } catch (error) {
      this.#options.onError(error)
      for (const tab of seen) if (this.#renewed.delete(tab)) this.#opened.set(tab, 0)
      for (const tab of gone) this.#gone.set(tab, 0)
    }
  }
}

/** Removes and returns the tabs that are due, at most `batchMax`. */
function take(schedule: Schedule, nowMs: number): Tab[] {
  const taken: Tab[] = []
  for (const [tab, dueMs] of schedule) {
    if (dueMs > nowMs || taken.length >= batchMax) break
    schedule.delete(tab)
    taken.push(tab)
  }
  return taken
}
