// Quotes of a menu as one topic: last price, change and condition, at most two frames a second, serialized once for all.
import { defaultAdjustment } from '#shared/candles/corporate-actions.ts'
import type { Group } from '#shared/instruments/instruments.ts'
import type { CandleRow, LiveCondition, QuoteRow, ServerMessage } from '#shared/market-data/live/contract.ts'
import type { FeedClock } from '../feed.ts'
import { repeat } from '../feed-clock.ts'
import { frameOf, type LiveLine, type LiveRoom, type Seat } from './broadcast-channel.ts'
import { inSlices } from './in-slices.ts'
import type { TopicName } from './series-view-port.ts'

const everyMs = 500

/** The day, for the last price, and the day before, for the change. */
export const quoteTopic: TopicName = { timeframe: '1D', adjustment: defaultAdjustment }
const days = 2

/** An instrument and the channel of its days. */
export interface Quoted {
  readonly slug: string
  readonly room: LiveRoom
}

export interface QuoteSeat {
  readonly line: Pick<LiveLine, 'isRoomy' | 'send'>
  /** Whether it missed a frame, so that it needs all quotes. */
  isBehind: boolean
}

export interface QuoteBoards {
  /** The board of these channels, shared by all users with the same. */
  board(group: Group, quoted: readonly Quoted[]): QuoteBoard
}

/** Boards of a process; each is closed with its last subscriber. */
export function quoteBoards(clock: FeedClock): QuoteBoards {
  const boards = new Map<string, QuoteBoard>()
  return {
    board(group, quoted) {
      const key = `${group} ${quoted.map(({ room }) => room.id).join(' ')}`
      const board = boards.get(key) ?? new QuoteBoard({ group, quoted, clock, onEmpty: () => boards.delete(key) })
      boards.set(key, board)
      return board
    },
  }
}

interface QuoteBoardOptions {
  readonly group: Group
  readonly quoted: readonly Quoted[]
  readonly clock: FeedClock
  readonly onEmpty: () => void
}

export class QuoteBoard {
  readonly #options: QuoteBoardOptions
  readonly #quotes: readonly DayQuote[]
  readonly #seats = new Set<QuoteSeat>()
  readonly #cancel: () => void

  constructor(options: QuoteBoardOptions) {
    this.#options = options
    this.#quotes = options.quoted.map((quoted) => new DayQuote(quoted))
    this.#cancel = repeat(options.clock, everyMs, () => this.#publish())
  }

  enter(seat: QuoteSeat): void {
    this.#seats.add(seat)
    seat.isBehind = !seat.line.isRoomy()
    if (!seat.isBehind) seat.line.send(this.#frame(true))
  }

  leave(seat: QuoteSeat): void {
    if (!this.#seats.delete(seat) || this.#seats.size > 0) return
    this.#cancel()
    for (const quote of this.#quotes) quote.close()
    this.#options.onEmpty()
  }

  #publish(): void {
    const isChanged = this.#quotes.some((quote) => quote.isChanged)
    const changes = isChanged ? this.#frame(false) : undefined
    for (const quote of this.#quotes) quote.settle()
    let all: Buffer | undefined
    inSlices([...this.#seats], (seat) => {
      if (!this.#seats.has(seat) || (changes === undefined && !seat.isBehind)) return
      const isRoomy = seat.line.isRoomy()
      const frame = seat.isBehind && isRoomy ? (all ??= this.#frame(true)) : changes
      seat.isBehind = !isRoomy
      if (isRoomy && frame !== undefined) seat.line.send(frame)
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
  readonly #quoted: Quoted
  readonly #seat: Seat
  #days: readonly CandleRow[] = []
  #condition = unknown
  #isClosed = false
  #isChanged = false
  #hasNewCondition = false

  constructor(quoted: Quoted) {
    this.#quoted = quoted
    const { room } = quoted
    const line: LiveLine = {
      isRoomy: () => true,
      mayTake: () => true,
      // In a turn of its own, because a channel calls it while it changes.
      defer: (seat) => void setImmediate(() => (this.#isClosed ? undefined : room.deliver(seat))),
      send: (frame, rest = Buffer.of()) => this.#read(JSON.parse(`${frame.toString()}${rest.toString()}`) as DayFrame),
    }
    this.#seat = { id: 1, bars: days, form: undefined, line, seq: undefined, epoch: '' }
    room.enter(this.#seat, undefined)
  }

  get isChanged(): boolean {
    return this.#isChanged
  }

  /** Its changes have been published. */
  settle(): void {
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
    this.#quoted.room.leave(this.#seat)
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
