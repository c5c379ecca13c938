// Quotes of a menu as one topic: last price, change and condition, at most two frames a second, serialized once for all.
import { defaultAdjustment } from '#shared/candles/corporate-actions.ts'
import type { Group } from '#shared/instruments/instruments.ts'
import type { CandleRow, LiveCondition, QuoteRow, ServerMessage } from '#shared/market-data/live/contract.ts'
import type { FeedClock } from '../feed.ts'
import { repeat } from '../real-clock.ts'
import { frameOf, type BroadcastChannel, type ChannelSubscriber, type SubscriberConnection } from './broadcast-channel.ts'
import type { TopicName } from './candle-topic.ts'
import { inSlices } from './in-slices.ts'

const everyMs = 500

/** The day, for the last price, and the day before, for the change. */
export const quoteTopic: TopicName = { timeframe: '1D', adjustment: defaultAdjustment }
const days = 2

/** An instrument and the channel of its days. */
export interface QuotedInstrument {
  readonly slug: string
  readonly channel: BroadcastChannel
}

export interface QuoteSubscriber {
  readonly connection: Pick<SubscriberConnection, 'isWritable' | 'send'>
  /** Whether it missed a frame, so that it needs all quotes. */
  isBehind: boolean
}

/** Boards of a process; each is closed with its last subscriber. */
export class QuoteBoards {
  readonly #clock: FeedClock
  readonly #boards = new Map<string, QuoteBoard>()

  constructor(clock: FeedClock) {
    this.#clock = clock
  }

  /** The board of these channels, shared by all users with the same. */
  board(group: Group, quoted: readonly QuotedInstrument[]): QuoteBoard {
    const key = `${group} ${quoted.map(({ channel }) => channel.id).join(' ')}`
    const onEmpty = () => void this.#boards.delete(key)
    const board = this.#boards.get(key) ?? new QuoteBoard({ group, quoted, clock: this.#clock, onEmpty })
    this.#boards.set(key, board)
    return board
  }
}

interface QuoteBoardOptions {
  readonly group: Group
  readonly quoted: readonly QuotedInstrument[]
  readonly clock: FeedClock
  readonly onEmpty: () => void
}

export class QuoteBoard {
  readonly #options: QuoteBoardOptions
  readonly #quotes: readonly DayQuote[]
  readonly #subscribers = new Set<QuoteSubscriber>()
  readonly #cancel: () => void

  constructor(options: QuoteBoardOptions) {
    this.#options = options
    this.#quotes = options.quoted.map((quoted) => new DayQuote(quoted))
    this.#cancel = repeat(options.clock, everyMs, () => this.#publish())
  }

  subscribe(subscriber: QuoteSubscriber): void {
    this.#subscribers.add(subscriber)
    subscriber.isBehind = !subscriber.connection.isWritable()
    if (!subscriber.isBehind) subscriber.connection.send(this.#frame(true))
  }

  unsubscribe(subscriber: QuoteSubscriber): void {
    if (!this.#subscribers.delete(subscriber) || this.#subscribers.size > 0) return
    this.#cancel()
    for (const quote of this.#quotes) quote.close()
    this.#options.onEmpty()
  }

  #publish(): void {
    const isChanged = this.#quotes.some((quote) => quote.isChanged)
    const changes = isChanged ? this.#frame(false) : undefined
    for (const quote of this.#quotes) quote.resetChanges()
    let all: Buffer | undefined
    inSlices([...this.#subscribers], (subscriber) => {
      if (!this.#subscribers.has(subscriber) || (changes === undefined && !subscriber.isBehind)) return
      const isWritable = subscriber.connection.isWritable()
      const frame = subscriber.isBehind && isWritable ? (all ??= this.#frame(true)) : changes
      subscriber.isBehind = !isWritable
      if (isWritable && frame !== undefined) subscriber.connection.send(frame)
    })
  }

  #frame(isAll: boolean): Buffer {
    const quotes = this.#quotes.filter((quote) => isAll || quote.isChanged).map((quote) => quote.row(isAll))
    return frameOf({ t: 'quotes', group: this.#options.group, isAll, quotes })
  }
}

/** Before the channel has answered. */
const unknown: LiveCondition = { label: null, sessionClass: 'crypto', isStale: false, reason: null }

type DayFrame = Extract<ServerMessage, { t: 'snap' | 'upd' | 'cond' }>

/** The quote of one instrument, a subscriber of its channel. */
class DayQuote {
  readonly #quoted: QuotedInstrument
  readonly #subscriber: ChannelSubscriber
  #days: readonly CandleRow[] = []
  #condition = unknown
  #isClosed = false
  #isChanged = false
  #hasNewCondition = false

  constructor(quoted: QuotedInstrument) {
    this.#quoted = quoted
    const { channel } = quoted
    const connection: SubscriberConnection = {
      isWritable: () => true,
      takeCandles: () => true,
      // In a turn of its own, because a channel calls it while it changes.
      defer: (subscriber) => void setImmediate(() => (this.#isClosed ? undefined : channel.deliver(subscriber))),
      send: (frame, rest = Buffer.of()) => this.#read(JSON.parse(`${frame.toString()}${rest.toString()}`) as DayFrame),
    }
    this.#subscriber = { id: 1, bars: days, form: undefined, connection, seq: undefined, epoch: '' }
    channel.subscribe(this.#subscriber, undefined)
  }

  get isChanged(): boolean {
    return this.#isChanged
  }

  /** Its changes have been published. */
  resetChanges(): void {
    this.#isChanged = false
    this.#hasNewCondition = false
  }

  /** Without a label there is no price. */
  row(isAll: boolean): QuoteRow {
    const [last, before] = [this.#days.at(-1), this.#days.at(-2)]
    const condition = isAll || this.#hasNewCondition ? this.#condition : null
    if (last === undefined || this.#condition.label === null) return [this.#quoted.slug, null, null, condition]
    const change = before === undefined || before[4] <= 0 ? null : Math.round((last[4] / before[4] - 1) * 1e6) / 1e4
    return [this.#quoted.slug, last[4], change, condition]
  }

  close(): void {
    this.#isClosed = true
    this.#quoted.channel.unsubscribe(this.#subscriber)
  }

  #read(frame: DayFrame): void {
    this.#isChanged = true
    if (frame.t !== 'upd') {
      this.#condition = frame.condition
      this.#hasNewCondition = true
    }
    if (frame.t === 'snap') this.#days = frame.candles.slice(-days)
    if (frame.t !== 'upd') return
    const stamps = new Set(frame.c.map(([timeMs]) => timeMs))
    this.#days = [...this.#days.filter(([timeMs]) => !stamps.has(timeMs)), ...frame.c]
      .toSorted((one, other) => one[0] - other[0])
      .slice(-days)
  }
}
