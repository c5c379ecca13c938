// The subscriptions of one socket: each belongs to a channel, and moves when its user's prices come from elsewhere.
import { groups, menuOf, type Group, type Instrument } from '#shared/instruments/instruments.ts'
import type { LiveCursor } from '#shared/market-data/live/contract.ts'
import { findAccessRestriction } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { frameOf, type BroadcastChannel, type ChannelSubscriber, type SubscriberConnection } from './broadcast-channel.ts'
import type { TopicName } from './candle-topic.ts'
import type { Delivery } from './delivery-queue.ts'
import { quoteTopic, type QuoteBoard, type QuoteBoards, type QuoteSubscriber } from './quote-board.ts'

export interface LiveSubscriptionsOptions {
  readonly channelOf: (user: User, instrument: Instrument, topic: TopicName) => BroadcastChannel
  readonly boards: QuoteBoards
  readonly isHidden: (slug: string) => boolean
  readonly connection: Omit<SubscriberConnection, 'defer'>
  /** Requests a turn: then `deliverNext` is called. */
  readonly queue: () => void
}

export interface SubscriptionRequest extends Pick<ChannelSubscriber, 'id' | 'bars' | 'form'> {
  readonly topic: TopicName
  readonly instrument: Instrument
}

interface Subscription {
  readonly request: SubscriptionRequest
  readonly subscriber: ChannelSubscriber
  readonly channel: BroadcastChannel
}

export class LiveSubscriptions {
  readonly #options: LiveSubscriptionsOptions
  readonly #subscriptions = new Map<number, Subscription>()
  readonly #quotes: QuoteSubscription
  /** Those that wait for candles, in delivery order. */
  readonly #deferred = new Map<ChannelSubscriber, BroadcastChannel>()
  #isDelivering = false
  /** Whether a turn is already requested: each update defers every subscription of a socket that does not read. */
  #isQueued = false

  constructor(options: LiveSubscriptionsOptions) {
    this.#options = options
    this.#quotes = new QuoteSubscription(options)
  }

  get size(): number {
    return this.#subscriptions.size
  }

  add(user: User, request: SubscriptionRequest, since: LiveCursor | undefined): void {
    this.#subscribe(request, this.#options.channelOf(user, request.instrument, request.topic), since)
  }

  remove(id: number): void {
    const found = this.#subscriptions.get(id)
    if (found === undefined) return
    found.channel.unsubscribe(found.subscriber)
    this.#deferred.delete(found.subscriber)
    this.#subscriptions.delete(id)
  }

  /** Replaces the quotes of a menu; null ends them. False for an unknown group. */
  quote(user: User, name: string | null): boolean {
    const group = groups.find((known) => known === name)
    if (group !== undefined) this.#quotes.request(user, group)
    else this.#quotes.clear()
    return group !== undefined || name === null
  }

  /** Moves subscriptions whose source changed, and ends those that the user may no longer see; returns their ids. */
  update(user: User): readonly number[] {
    this.#quotes.update(user)
    const denied: number[] = []
    for (const { channel, request } of this.#subscriptions.values()) {
      if (!maySee(user, request.instrument)) {
        this.remove(request.id)
        denied.push(request.id)
        continue
      }
      const next = this.#options.channelOf(user, request.instrument, request.topic)
      if (next === channel) continue
      this.remove(request.id)
      this.#subscribe(request, next)
    }
    return denied
  }

  clear(): void {
    for (const id of this.#subscriptions.keys()) this.remove(id)
    this.#quotes.clear()
  }

  /** Maximum candles of the next frame. */
  get nextCost(): number {
    for (const [subscriber, channel] of this.#deferred) return channel.costOf(subscriber)
    return 0
  }

  deliverNext(): Delivery {
    const outcome = this.#deliverOne()
    this.#isQueued = outcome !== 'done'
    return outcome
  }

  /** The socket has drained: a new turn makes sense before the next retry. */
  flushed(): void {
    if (this.#deferred.size > 0 && this.#options.connection.isWritable()) this.#options.queue()
  }

  #subscribe(request: SubscriptionRequest, channel: BroadcastChannel, since?: LiveCursor): void {
    const { id, bars, form } = request
    const connection = { ...this.#options.connection, defer: (subscriber: ChannelSubscriber) => this.#defer(subscriber, channel) }
    const subscriber: ChannelSubscriber = { id, bars, form, connection, seq: undefined, epoch: '' }
    this.#subscriptions.set(id, { request, subscriber, channel })
    channel.subscribe(subscriber, since)
  }

  #defer(subscriber: ChannelSubscriber, channel: BroadcastChannel): void {
    this.#deferred.set(subscriber, channel)
    if (this.#isDelivering || this.#isQueued) return
    this.#isQueued = true
    this.#options.queue()
  }

  #deliverOne(): Delivery {
    const [entry] = this.#deferred
    if (entry === undefined) return 'done'
    if (!this.#options.connection.isWritable()) return 'blocked'
    const [subscriber, channel] = entry
    this.#deferred.delete(subscriber)
    this.#isDelivering = true
    channel.deliver(subscriber)
    this.#isDelivering = false
    // Deferred again: over the user's budget.
    if (this.#deferred.has(subscriber)) return 'blocked'
    return this.#deferred.size > 0 ? 'again' : 'done'
  }
}

interface Menu {
  readonly group: Group
  readonly instruments: readonly Instrument[]
}

/** The quotes of one socket: it subscribes to the board of the channels that its user may see. */
class QuoteSubscription {
  readonly #options: LiveSubscriptionsOptions
  readonly #subscriber: QuoteSubscriber
  #menu: Menu | undefined
  #board: QuoteBoard | undefined

  constructor(options: LiveSubscriptionsOptions) {
    this.#options = options
    this.#subscriber = { connection: options.connection, isBehind: false }
  }

  request(user: User, group: Group): void {
    this.#menu = { group, instruments: menuOf(group).filter(({ slug }) => !this.#options.isHidden(slug)) }
    this.#subscribe(group, this.#boardOf(user, this.#menu))
  }

  update(user: User): void {
    if (this.#menu === undefined) return
    const next = this.#boardOf(user, this.#menu)
    if (next !== this.#board) this.#subscribe(this.#menu.group, next)
  }

  clear(): void {
    this.#board?.unsubscribe(this.#subscriber)
    this.#menu = undefined
    this.#board = undefined
  }

  #boardOf(user: User, { group, instruments }: Menu): QuoteBoard | undefined {
    const { boards, channelOf } = this.#options
    const seen = instruments.filter((instrument) => maySee(user, instrument))
    if (seen.length === 0) return undefined
    return boards.board(
      group,
      seen.map((instrument) => ({ slug: instrument.slug, channel: channelOf(user, instrument, quoteTopic) })),
    )
  }

  #subscribe(group: Group, board: QuoteBoard | undefined): void {
    const before = this.#board
    this.#board = board
    if (board === undefined) this.#options.connection.send(frameOf({ t: 'quotes', group, isAll: true, quotes: [] }))
    else board.subscribe(this.#subscriber)
    // Last, because a board closes with its last subscriber.
    if (before !== board) before?.unsubscribe(this.#subscriber)
  }
}

export function maySee(user: User, instrument: Instrument): boolean {
  return findAccessRestriction(instrument.isFree ? 'signed-in' : 'premium', user) === undefined
}
