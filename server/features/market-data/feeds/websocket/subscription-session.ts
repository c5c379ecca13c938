// One connection with its requested and confirmed symbols, and timeouts for its confirmations and its age.
import { openConnection, type Connection } from './websocket-connection.ts'
import type { SocketLink, SocketLoopOptions, SocketSession } from './types.ts'

/** Timeout of a subscription confirmation. */
const confirmTimeoutMs = 10_000

export interface SessionEvents {
  ready(session: SubscriptionSession): void
  ended(session: SubscriptionSession, reason: string, status: number | undefined): void
  /** The connection reached its maximum age. */
  aged(session: SubscriptionSession): void
  malformed(session: SubscriptionSession, error: unknown): void
}

/** Connects at once. `linkOf` makes the adapter's interface to it. */
export class SubscriptionSession {
  /** Undefined until subscriptions may be sent. */
  readyMs: number | undefined
  /** Requested and neither confirmed nor rejected. */
  readonly pending = new Set<string>()
  readonly accepted = new Set<string>()
  readonly refused = new Set<string>()
  readonly #options: SocketLoopOptions
  readonly #events: SessionEvents
  readonly #connection: Connection
  readonly #adapter: SocketSession
  #isOver = false
  #stopConfirm: (() => void) | undefined
  #stopAging: (() => void) | undefined

  constructor(options: SocketLoopOptions, linkOf: (session: SubscriptionSession) => SocketLink, events: SessionEvents) {
    this.#options = options
    this.#events = events
    const { url, headers = {}, clock, log, dial, limits, intake } = options
    const { messagesPerSecond, silenceMs } = limits
    this.#connection = openConnection(
      { url, headers, clock, log, messagesPerSecond, silenceMs, dial, intake },
      {
        opened: () => (this.#adapter.opened === undefined ? this.ready() : this.#adapter.opened()),
        frame: (frame) => {
          try {
            this.#adapter.receive(frame)
          } catch (error) {
            events.malformed(this, error)
          }
        },
        flooded: () => link.rejectAll(`${options.name} sends more than a chart needs, so it is asked again only in minutes`),
        ended: (reason, status) => this.#end(() => events.ended(this, `${options.name} ${reason}`, status)),
      },
    )
    const link = linkOf(this)
    this.#adapter = options.start(link)
  }

  subscribe(symbols: readonly string[]): void {
    for (const symbol of symbols) this.pending.add(symbol)
    this.#awaitConfirmation()
    this.#adapter.subscribe(symbols)
  }

  unsubscribe(symbols: readonly string[]): void {
    for (const symbol of symbols) for (const known of [this.pending, this.accepted, this.refused]) known.delete(symbol)
    this.#adapter.unsubscribe(symbols)
  }

  send(frame: string | Buffer): void {
    this.#connection.send(frame)
  }

  ready(): void {
    if (this.#isOver || this.readyMs !== undefined) return
    const { clock, limits } = this.#options
    this.readyMs = clock.monotonic()
    // Connections that started together must not be renewed together.
    if (limits.renewAfterMs !== undefined)
      this.#stopAging = clock.after(limits.renewAfterMs * (1 - 0.05 * clock.random()), () => this.#events.aged(this))
    this.#events.ready(this)
  }

  /** Ends it as if the provider had closed it. */
  fail(reason: string): void {
    this.#end(() => this.#events.ended(this, `${this.#options.name} ${reason}`, undefined))
  }

  close(): void {
    this.#end(() => undefined)
  }

  #end(notify: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopAging?.()
    this.#stopConfirm?.()
    this.#connection.close()
    this.#adapter.ended?.()
    notify()
  }

  #awaitConfirmation(): void {
    this.#stopConfirm?.()
    this.#stopConfirm = this.#options.clock.after(confirmTimeoutMs, () => {
      if (this.pending.size > 0) this.fail('did not confirm a subscription')
    })
  }
}
