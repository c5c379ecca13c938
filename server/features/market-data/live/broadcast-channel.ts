// Broadcasts one series in one timeframe: each change is serialized once and sent to all subscribers.
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleRow, LiveCondition, LiveCursor, ServerMessage } from '#shared/market-data/live/contract.ts'
import { columnsOf } from '#shared/market-data/candle-columns.ts'
import type { CandleTopic } from './candle-topic.ts'
import { inSlices } from './in-slices.ts'
import type { SeriesView } from './series-view.ts'
import type { TopicName } from './series-view-port.ts'

/** What a channel needs from a connection. */
export interface LiveLine {
  /** Whether the send buffer is low enough for another frame. */
  isRoomy(): boolean
  /** Takes the cost of a frame from the user's budget; false if it has to wait. */
  mayTake(candles: number): boolean
  /** Calls `deliver` as soon as the connection can take candles. */
  defer(seat: Seat): void
  /** `rest` is the end of the text, which other subscribers get as well. */
  send(frame: Buffer, rest?: Buffer): void
}

/** Form of the candles in a snapshot; undefined for rows. */
export type SnapshotForm = 'columns' | undefined

export interface Seat {
  readonly id: number
  readonly bars: number
  readonly form?: SnapshotForm
  readonly line: LiveLine
  /** Number up to which this subscriber is up to date; undefined until the first snapshot. */
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
  readonly form: SnapshotForm
  readonly count: number
  readonly bytes: Buffer
}

function snapshotBody(topic: CandleTopic | undefined, { bars, form }: Seat): SnapshotBody {
  const candles = topic?.newest(bars) ?? []
  const columns = form === 'columns' ? columnsOf(candles.map(rowOf)) : undefined
  const text = columns === undefined ? `[${candles.map(rowTextOf).join(',')}]` : `[],"columns":${JSON.stringify(columns)}`
  return { topic, seq: topic?.seq ?? 0, bars, form, count: candles.length, bytes: Buffer.from(`,"candles":${text}}`) }
}

/** The text of a snapshot before its candles. */
function snapshotStart(head: Omit<Snapshot, 'candles' | 'columns'>): Buffer {
  return Buffer.from(JSON.stringify(head).slice(0, -1))
}

let lastRoomId = 0

/** The channel of a view; it subscribes to the view until it is closed. */
export class LiveRoom {
  /** Unique in this process. */
  readonly id = (lastRoomId += 1)
  readonly #view: SeriesView
  readonly #k: string
  readonly #name: TopicName
  readonly #seats = new Set<Seat>()
  #lastBody: SnapshotBody | undefined
  readonly #stop: () => void

  constructor(view: SeriesView, k: string, name: TopicName) {
    this.#view = view
    this.#k = k
    this.#name = name
    this.#stop = view.watch(name, {
      reset: () =>
        inSlices([...this.#seats], (seat) => {
          const { topic, isUnreadable } = view.look(name)
          // The candles that it has stay on the screen, marked as old.
          if (!this.#seats.has(seat) || (isUnreadable && seat.seq !== undefined)) return
          seat.epoch = ''
          if (topic === undefined) this.#sendSnapshot(seat)
          else seat.line.defer(seat)
        }),
      changed: (candles: readonly Candle[], p: number, q: number) => {
        if (this.#seats.size === 0) return
        const frame = frameOf({ t: 'upd', k, p, q, c: candles.map(rowOf) })
        inSlices([...this.#seats], (seat) => this.#serve(seat, frame, p, q))
      },
      condition: (condition: LiveCondition) => {
        const frame = frameOf({ t: 'cond', k, condition })
        inSlices([...this.#seats], (seat) => {
          if (this.#seats.has(seat)) seat.line.send(frame)
        })
      },
    })
  }

  enter(seat: Seat, since: LiveCursor | undefined): void {
    this.#seats.add(seat)
    const { epoch, condition, topic } = this.#view.look(this.#name)
    if (topic === undefined) {
      void this.#view.known().then(() => this.#answerWithout(seat, since))
      return
    }
    if (since?.epoch === epoch && topic.since(since.seq) !== undefined) {
      seat.epoch = epoch
      seat.seq = since.seq
      seat.line.send(frameOf({ t: 'cont', id: seat.id, k: this.#k, condition }))
    }
    seat.line.defer(seat)
  }

  leave(seat: Seat): void {
    this.#seats.delete(seat)
  }

  /** Sends what a deferred subscriber lacks: the delta, or a snapshot. */
  deliver(seat: Seat): void {
    if (!this.#seats.has(seat)) return
    const { epoch, topic } = this.#view.look(this.#name)
    // Candles are being reloaded; the reset that follows defers the subscriber again.
    if (topic === undefined) return
    const missed = seat.epoch === epoch && seat.seq !== undefined ? topic.since(seat.seq) : undefined
    if (missed?.length === 0) return
    if (!seat.line.mayTake(missed?.length ?? seat.bars)) return seat.line.defer(seat)
    if (missed === undefined || seat.seq === undefined) return this.#sendSnapshot(seat)
    seat.line.send(frameOf({ t: 'upd', k: this.#k, p: seat.seq, q: topic.seq, c: missed.map(rowOf) }))
    seat.seq = topic.seq
  }

  /** Maximum candles that `deliver` sends; a delta has few. */
  costOf(seat: Seat): number {
    return seat.seq === undefined || seat.epoch === '' ? seat.bars : updateCost
  }

  get size(): number {
    return this.#seats.size
  }

  close(): void {
    this.#stop()
  }

  #bodyOf(topic: CandleTopic | undefined, seat: Seat): SnapshotBody {
    const isSame =
      this.#lastBody !== undefined &&
      this.#lastBody.topic === topic &&
      this.#lastBody.seq === (topic?.seq ?? 0) &&
      this.#lastBody.bars === seat.bars &&
      this.#lastBody.form === seat.form
    if (this.#lastBody === undefined || !isSame) this.#lastBody = snapshotBody(topic, seat)
    return this.#lastBody
  }

  #sendSnapshot(seat: Seat): void {
    const { epoch, condition, topic } = this.#view.look(this.#name)
    const body = this.#bodyOf(topic, seat)
    const hasOlder = topic !== undefined && (topic.hasOlder || body.count === seat.bars)
    const startsAtMs = hasOlder ? null : (topic?.startsAtMs ?? null)
    seat.seq = topic?.seq
    seat.epoch = epoch
    const start = snapshotStart({ t: 'snap', id: seat.id, k: this.#k, epoch, seq: body.seq, hasOlder, startsAtMs, condition })
    seat.line.send(start, body.bytes)
  }

  /** Reports that there are no candles, unless they are loading: then they are sent when loaded. */
  #answerWithout(seat: Seat, since: LiveCursor | undefined): void {
    const { topic, condition, isUnreadable } = this.#view.look(this.#name)
    const hasNone = condition.label === null || (isUnreadable && since === undefined)
    if (this.#seats.has(seat) && topic === undefined && hasNone) this.#sendSnapshot(seat)
  }

  #serve(seat: Seat, frame: Buffer, p: number, q: number): void {
    if (!this.#seats.has(seat)) return
    if (seat.seq === p && seat.line.isRoomy()) {
      seat.line.send(frame)
      seat.seq = q
    } else if (seat.seq !== undefined && seat.seq < q) seat.line.defer(seat)
  }
}
