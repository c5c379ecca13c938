// What a page follows over its shared WebSocket: subscriptions to live candles, which resume after a reconnect, and the account's state.
import { rowsOf } from '#shared/market-data/candle-columns.ts'
import type { Group } from '#shared/instruments/instruments.ts'
import type { LiveCursor } from '#shared/market-data/live/contract.ts'
import { LiveSocketConnection, type LiveSocketOptions, type MessageOf, type SubscriptionMessage } from './live-socket-connection.ts'
import { sentenceInPage } from '#web/lib/page-language.ts'
import type { AccountListener, LiveListener, LiveRequest, QuoteListener } from './live-listener.ts'

interface QuoteWatch {
  readonly group: Group
  readonly listener: QuoteListener
}

interface Subscription {
  readonly id: number
  readonly request: LiveRequest
  readonly listener: LiveListener
  topic: string | undefined
  cursor: LiveCursor | undefined
}

/** How long an idle connection is kept open for the next chart. */
const idleTimeoutMs = 10_000

/** One connection for everything that the page follows. It opens with the first subscription and closes some time after the last. */
export class LiveSocket {
  readonly #options: LiveSocketOptions
  readonly #connection: LiveSocketConnection
  readonly #subscriptions = new Map<number, Subscription>()
  readonly #accountListeners = new Set<AccountListener>()
  /** The server sends those of the last one. */
  readonly #quoteWatches = new Set<QuoteWatch>()
  #nextId = 1
  #cancelIdleTimer: () => void = () => undefined

  constructor(options: LiveSocketOptions) {
    this.#options = options
    this.#connection = new LiveSocketConnection(options, {
      ready: () => {
        this.#requestQuotes()
        for (const { listener } of this.#quoteWatches) listener.connected(true)
        for (const subscription of this.#subscriptions.values()) this.#begin(subscription)
      },
      account: (account) => {
        for (const listener of this.#accountListeners) listener.account(account)
      },
      message: (message) => this.#deliver(message),
      lost: () => {
        for (const { listener } of this.#subscriptions.values()) listener.connected(false)
        for (const { listener } of this.#quoteWatches) listener.connected(false)
        for (const listener of this.#accountListeners) listener.lost()
      },
      ended: () => {
        for (const listener of this.#accountListeners) listener.ended()
      },
      isNeeded: () => this.#isNeeded,
    })
  }

  /** Returns the function that ends the subscription. */
  subscribe(request: LiveRequest, listener: LiveListener): () => void {
    const subscription: Subscription = { id: this.#nextId, request, listener, topic: undefined, cursor: undefined }
    this.#nextId += 1
    this.#subscriptions.set(subscription.id, subscription)
    if (this.#connection.isReady) this.#begin(subscription)
    this.#retain()
    return () => {
      if (this.#remove(subscription) && this.#connection.isReady) this.#connection.send({ t: 'unsub', id: subscription.id })
    }
  }

  /** Follows the account's state; the connection stays open meanwhile. Returns the function that ends it. */
  watchAccount(listener: AccountListener): () => void {
    this.#accountListeners.add(listener)
    this.#retain()
    const { account } = this.#connection
    if (account !== undefined) listener.account(account)
    return () => {
      if (this.#accountListeners.delete(listener)) this.#release()
    }
  }

  /** Follows the quotes of a group, instead of another one. Returns the function that ends it. */
  watchQuotes(group: Group, listener: QuoteListener): () => void {
    const watch: QuoteWatch = { group, listener }
    this.#quoteWatches.add(watch)
    this.#retain()
    this.#requestQuotes()
    return () => {
      if (!this.#quoteWatches.delete(watch)) return
      this.#requestQuotes()
      this.#release()
    }
  }

  #requestQuotes(): void {
    const group = [...this.#quoteWatches].at(-1)?.group ?? null
    // A server of an older release knows neither quotes nor the account.
    if (this.#connection.account === undefined || group === this.#connection.quotes) return
    this.#connection.quotes = group
    this.#connection.send({ t: 'quotes', group })
  }

  /** Reconnects at once, for example after the device slept. */
  wake(): void {
    if (this.#isNeeded) this.#connection.reopen()
  }

  get #isNeeded(): boolean {
    return this.#subscriptions.size > 0 || this.#accountListeners.size > 0 || this.#quoteWatches.size > 0
  }

  #retain(): void {
    this.#cancelIdleTimer()
    this.#connection.open()
  }

  #release(): void {
    if (this.#isNeeded) return
    this.#connection.stopRetrying()
    this.#cancelIdleTimer = this.#options.after(idleTimeoutMs, () => this.#connection.close())
  }

  /** False if it has ended before. */
  #remove({ id }: Subscription): boolean {
    const wasOpen = this.#subscriptions.delete(id)
    if (wasOpen) this.#release()
    return wasOpen
  }

  #begin(subscription: Subscription): void {
    subscription.listener.connected(true)
    this.#request(subscription)
  }

  #request({ id, request, cursor }: Subscription): void {
    this.#connection.send({ t: 'sub', id, ...request, form: 'columns', ...(cursor === undefined ? {} : { since: cursor }) })
  }

  #deliver(message: SubscriptionMessage): void {
    if (message.t === 'snap' || message.t === 'cont' || message.t === 'end') return this.#handleResponse(message)
    if (message.t === 'quotes') {
      for (const { group, listener } of this.#quoteWatches) if (group === message.group) listener.quotes(message.quotes, message.isAll)
      return
    }
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.topic !== message.k) continue
      if (message.t === 'cond') subscription.listener.condition(message.condition)
      else this.#update(subscription, message)
    }
  }

  #handleResponse(message: MessageOf<'snap' | 'cont' | 'end'>): void {
    const subscription = this.#subscriptions.get(message.id)
    if (subscription === undefined) return
    const { listener } = subscription
    if (message.t === 'end') {
      this.#remove(subscription)
      return listener.ended(message.code, sentenceInPage(message))
    }
    subscription.topic = message.k
    if (message.t === 'cont') return listener.condition(message.condition)
    subscription.cursor = { epoch: message.epoch, seq: message.seq }
    listener.snapshot(message.columns === undefined ? message : { ...message, candles: rowsOf(message.columns) })
  }

  #update(subscription: Subscription, message: MessageOf<'upd'>): void {
    const { cursor } = subscription
    if (cursor === undefined || message.q <= cursor.seq) return
    // Gap in the sequence: request the changes since our last number.
    if (message.p > cursor.seq) return this.#request(subscription)
    subscription.cursor = { epoch: cursor.epoch, seq: message.q }
    subscription.listener.update(message.c)
  }
}
