// Broadcasts each series and timeframe in one channel: each change is serialized once and sent to all subscribers.
import { effectiveAdjustment } from '#shared/candles/price-adjuster.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleRow, LiveCondition, LiveCursor, ServerMessage } from '#shared/market-data/live/contract.ts'
import { columnsOf } from '#shared/market-data/candle-columns.ts'
import type { FeedClock } from '../feed.ts'
import { repeat } from '../real-clock.ts'
import type { CandleTopic, TopicName } from './candle-topic.ts'
import { inSlices } from './in-slices.ts'
import type { SeriesView, SeriesViews } from './series-view.ts'

/** What a channel needs from a connection. */
export interface SubscriberConnection {
  /** Whether the send buffer is low enough for another frame. */
  isWritable(): boolean
  /** Takes the cost of a frame from the user's budget; false if it has to wait. */
  takeCandles(candles: number): boolean
  /** Calls `deliver` as soon as the connection can take candles. */
  defer(subscriber: ChannelSubscriber): void
  /** `rest` is the end of the text, which other subscribers get as well. */
  send(frame: Buffer, rest?: Buffer): void
}

export interface ChannelSubscriber {
  readonly id: number
  readonly bars: number
  /** Form of the candles in a snapshot; undefined for rows. */
  readonly form?: 'columns' | undefined
  readonly connection: SubscriberConnection
  /** Number up to which it is up to date; undefined until the first snapshot. */
  seq: number | undefined
  /** The epoch of that number. */
  epoch: string
}

/** Cost of an update in candles; it rarely has more. */
const updateCost = 10

export function frameOf(message: ServerMessage): Buffer {
  return Buffer.from(JSON.stringify(message))
}

export function rowOf(candle: Candle): CandleRow {
  return [candle.timeMs, candle.open, candle.high, candle.low, candle.close, candle.volume, candle.takerBuyVolume]
}

/** Candles are immutable, so most rows of a snapshot were serialized before. */
const rowTexts = new WeakMap<Candle, string>()

function rowTextOf(candle: Candle): string {
  const known = rowTexts.get(candle)
  if (known !== undefined) return known
  const text = JSON.stringify(rowOf(candle))
  rowTexts.set(candle, text)
  return text
}

type Snapshot = Extract<ServerMessage, { t: 'snap' }>

/** Serialized candles of a snapshot, shared by all requests for the same number of bars until the next change. */
interface SnapshotBody {
  readonly topic: CandleTopic | undefined
  readonly seq: number
  readonly bars: number
  readonly form: ChannelSubscriber['form']
  readonly count: number
  readonly bytes: Buffer
}

function snapshotBody(topic: CandleTopic | undefined, { bars, form }: ChannelSubscriber): SnapshotBody {
  const candles = topic?.newest(bars) ?? []
  const columns = form === 'columns' ? columnsOf(candles.map(rowOf)) : undefined
  const text = columns === undefined ? `[${candles.map(rowTextOf).join(',')}]` : `[],"columns":${JSON.stringify(columns)}`
  return { topic, seq: topic?.seq ?? 0, bars, form, count: candles.length, bytes: Buffer.from(`,"candles":${text}}`) }
}

/** The text of a snapshot before its candles. */
function snapshotStart(head: Omit<Snapshot, 'candles' | 'columns'>): Buffer {
  return Buffer.from(JSON.stringify(head).slice(0, -1))
}

let lastId = 0

/** The channel of a view; it subscribes to the view until it is closed. */
export class BroadcastChannel {
  /** Unique in this process. */
  readonly id = (lastId += 1)
  readonly #view: SeriesView
  readonly #k: string
  readonly #name: TopicName
  readonly #subscribers = new Set<ChannelSubscriber>()
  #lastBody: SnapshotBody | undefined
  readonly #stop: () => void

  constructor(view: SeriesView, k: string, name: TopicName) {
    this.#view = view
    this.#k = k
    this.#name = name
    this.#stop = view.subscribe(name, {
      reset: () =>
        inSlices([...this.#subscribers], (subscriber) => {
          const { topic, isUnreadable } = view.topicState(name)
          // The candles that it has stay on the screen, marked as old.
          if (!this.#subscribers.has(subscriber) || (isUnreadable && subscriber.seq !== undefined)) return
          subscriber.epoch = ''
          if (topic === undefined) this.#sendSnapshot(subscriber)
          else subscriber.connection.defer(subscriber)
        }),
      changed: (candles: readonly Candle[], p: number, q: number) => {
        if (this.#subscribers.size === 0) return
        const frame = frameOf({ t: 'upd', k, p, q, c: candles.map(rowOf) })
        inSlices([...this.#subscribers], (subscriber) => this.#sendUpdate(subscriber, frame, p, q))
      },
      condition: (condition: LiveCondition) => {
        const frame = frameOf({ t: 'cond', k, condition })
        inSlices([...this.#subscribers], (subscriber) => {
          if (this.#subscribers.has(subscriber)) subscriber.connection.send(frame)
        })
      },
    })
  }

  subscribe(subscriber: ChannelSubscriber, since: LiveCursor | undefined): void {
    this.#subscribers.add(subscriber)
    const { epoch, condition, topic } = this.#view.topicState(this.#name)
    if (topic === undefined) {
      void this.#view.whenKnown().then(() => this.#reportMissing(subscriber, since))
      return
    }
    if (since?.epoch === epoch && topic.since(since.seq) !== undefined) {
      subscriber.epoch = epoch
      subscriber.seq = since.seq
      subscriber.connection.send(frameOf({ t: 'cont', id: subscriber.id, k: this.#k, condition }))
    }
    subscriber.connection.defer(subscriber)
  }

  unsubscribe(subscriber: ChannelSubscriber): void {
    this.#subscribers.delete(subscriber)
  }

  /** Sends what a deferred subscriber lacks: the delta, or a snapshot. */
  deliver(subscriber: ChannelSubscriber): void {
    if (!this.#subscribers.has(subscriber)) return
    const { epoch, topic } = this.#view.topicState(this.#name)
    // Candles are being reloaded; the reset that follows defers the subscriber again.
    if (topic === undefined) return
    const missed = subscriber.epoch === epoch && subscriber.seq !== undefined ? topic.since(subscriber.seq) : undefined
    if (missed?.length === 0) return
    if (!subscriber.connection.takeCandles(missed?.length ?? subscriber.bars)) return subscriber.connection.defer(subscriber)
    if (missed === undefined || subscriber.seq === undefined) return this.#sendSnapshot(subscriber)
    subscriber.connection.send(frameOf({ t: 'upd', k: this.#k, p: subscriber.seq, q: topic.seq, c: missed.map(rowOf) }))
    subscriber.seq = topic.seq
  }

  /** Maximum candles that `deliver` sends; a delta has few. */
  costOf(subscriber: ChannelSubscriber): number {
    return subscriber.seq === undefined || subscriber.epoch === '' ? subscriber.bars : updateCost
  }

  get size(): number {
    return this.#subscribers.size
  }

  close(): void {
    this.#stop()
  }

  #bodyOf(topic: CandleTopic | undefined, subscriber: ChannelSubscriber): SnapshotBody {
    const isSame =
      this.#lastBody !== undefined &&
      this.#lastBody.topic === topic &&
      this.#lastBody.seq === (topic?.seq ?? 0) &&
      this.#lastBody.bars === subscriber.bars &&
      this.#lastBody.form === subscriber.form
    if (this.#lastBody === undefined || !isSame) this.#lastBody = snapshotBody(topic, subscriber)
    return this.#lastBody
  }

  #sendSnapshot(subscriber: ChannelSubscriber): void {
    const { epoch, condition, topic } = this.#view.topicState(this.#name)
    const body = this.#bodyOf(topic, subscriber)
    const hasOlder = topic !== undefined && (topic.start.hasOlder || body.count === subscriber.bars)
    const startsAtMs = hasOlder ? null : (topic?.start.startsAtMs ?? null)
    subscriber.seq = topic?.seq
    subscriber.epoch = epoch
    const start = snapshotStart({ t: 'snap', id: subscriber.id, k: this.#k, epoch, seq: body.seq, hasOlder, startsAtMs, condition })
    subscriber.connection.send(start, body.bytes)
  }

  /** Reports that there are no candles, unless they are loading: then they are sent when loaded. */
  #reportMissing(subscriber: ChannelSubscriber, since: LiveCursor | undefined): void {
    const { topic, condition, isUnreadable } = this.#view.topicState(this.#name)
    const hasNone = condition.label === null || (isUnreadable && since === undefined)
    if (this.#subscribers.has(subscriber) && topic === undefined && hasNone) this.#sendSnapshot(subscriber)
  }

  #sendUpdate(subscriber: ChannelSubscriber, frame: Buffer, p: number, q: number): void {
    if (!this.#subscribers.has(subscriber)) return
    if (subscriber.seq === p && subscriber.connection.isWritable()) {
      subscriber.connection.send(frame)
      subscriber.seq = q
    } else if (subscriber.seq !== undefined && subscriber.seq < q) subscriber.connection.defer(subscriber)
  }
}

const roundMs = 1_000
/** Idle timeout: long enough for a disconnected client to come back and resume. */
const idleTimeoutMs = 20_000

/** All channels of one set of views: opened with the first subscriber, closed some time after the last. */
export class BroadcastChannels {
  readonly #views: Pick<SeriesViews, 'open'>
  readonly #clock: FeedClock
  readonly #prefix: string
  readonly #channels = new Map<string, { readonly channel: BroadcastChannel; emptySinceMs: number | undefined }>()
  readonly #stopRounds: () => void

  /** The prefix separates the topics of different channel sets on the same socket. */
  constructor(views: Pick<SeriesViews, 'open'>, clock: FeedClock, prefix = '') {
    this.#views = views
    this.#clock = clock
    this.#prefix = prefix
    this.#stopRounds = repeat(clock, roundMs, () => this.#closeIdle())
  }

  /** Users whose adjustment choices give the same candles, now and after future ex-dates, share a channel. */
  channel(series: string, topic: TopicName): BroadcastChannel {
    const { timeframe } = topic
    const adjustment = effectiveAdjustment(series, topic.adjustment, Infinity)
    const name = `${this.#prefix}${series}:${timeframe}${adjustment === 'none' ? '' : `:${adjustment}`}`
    const known = this.#channels.get(name)
    if (known !== undefined) return known.channel
    const channel = new BroadcastChannel(this.#views.open(series), name, { timeframe, adjustment })
    this.#channels.set(name, { channel, emptySinceMs: undefined })
    return channel
  }

  close(): void {
    this.#stopRounds()
    for (const { channel } of this.#channels.values()) channel.close()
    this.#channels.clear()
  }

  #closeIdle(): void {
    const nowMs = this.#clock.monotonic()
    for (const [name, entry] of this.#channels) {
      entry.emptySinceMs = entry.channel.size > 0 ? undefined : (entry.emptySinceMs ?? nowMs)
      if (nowMs - (entry.emptySinceMs ?? nowMs) < idleTimeoutMs) continue
      this.#channels.delete(name)
      entry.channel.close()
    }
  }
}
