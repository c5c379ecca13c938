// Everybody here who watches one series in one timeframe: one frame is made per change and handed to all.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { CandleRow, LiveCondition, LiveCursor, ServerMessage } from '#shared/market/live.ts'
import type { CandleTopic } from './candle-topic.ts'
import { inSlices } from './in-slices.ts'
import type { SeriesView, TopicName } from './series-view-port.ts'

/** What a room needs of a connection. */
export interface LiveLine {
  /** Whether so little waits to be sent that one more frame does no harm. */
  isRoomy(): boolean
  /** Takes the cost of a frame with so many candles from the user's budget; false where it has to wait. */
  mayTake(candles: number): boolean
  /** Calls `deliver` of the room as soon as the line can take candles. */
  defer(seat: Seat): void
  send(frame: Buffer): void
}

export interface Seat {
  readonly id: number
  readonly bars: number
  readonly line: LiveLine
  /** Number up to which this watcher has everything; undefined until his first snapshot. */
  seq: number | undefined
  /** The epoch of that number. */
  epoch: string
}

export interface LiveRoom {
  enter(seat: Seat, since: LiveCursor | undefined): void
  leave(seat: Seat): void
  /** Sends what a deferred seat lacks: what it missed, or a snapshot. */
  deliver(seat: Seat): void
  /** Candles that `deliver` sends, as a bound: of what was missed, a few. */
  costOf(seat: Seat): number
  readonly size: number
  close(): void
}

/** What an update counts in candles: it rarely holds more. */
const updateCost = 10

export function frameOf(message: ServerMessage): Buffer {
  return Buffer.from(JSON.stringify(message))
}

export function rowOf(candle: Candle): CandleRow {
  return [candle.timeMs, candle.open, candle.high, candle.low, candle.close, candle.volume, candle.takerBuyVolume]
}

/** Candles do not change, so most rows of a snapshot were written for an earlier one. */
const rowTexts = new WeakMap<Candle, string>()

function rowTextOf(candle: Candle): string {
  const known = rowTexts.get(candle)
  if (known !== undefined) return known
  const text = JSON.stringify(rowOf(candle))
  rowTexts.set(candle, text)
  return text
}

type Snapshot = Extract<ServerMessage, { t: 'snap' }>

/** Candles of a snapshot as bytes: the same for all who ask for the same number of bars until the next change. */
interface SnapshotBody {
  readonly topic: CandleTopic | undefined
  readonly seq: number
  readonly bars: number
  readonly count: number
  readonly bytes: Buffer
}

function snapshotBody(topic: CandleTopic | undefined, bars: number): SnapshotBody {
  const candles = topic?.newest(bars) ?? []
  const bytes = Buffer.from(`,"candles":[${candles.map(rowTextOf).join(',')}]}`)
  return { topic, seq: topic?.seq ?? 0, bars, count: candles.length, bytes }
}

function snapshotFrame(head: Omit<Snapshot, 'candles'>, body: SnapshotBody): Buffer {
  return Buffer.concat([Buffer.from(JSON.stringify(head).slice(0, -1)), body.bytes])
}

/** A room of a view; it watches the view until it is closed. */
export function liveRoom(view: SeriesView, k: string, name: TopicName): LiveRoom {
  const seats = new Set<Seat>()
  let lastBody: SnapshotBody | undefined

  function bodyOf(topic: CandleTopic | undefined, bars: number): SnapshotBody {
    const isSame = lastBody !== undefined && lastBody.topic === topic && lastBody.seq === (topic?.seq ?? 0) && lastBody.bars === bars
    if (lastBody === undefined || !isSame) lastBody = snapshotBody(topic, bars)
    return lastBody
  }

  function sendSnapshot(seat: Seat): void {
    const { epoch, condition, topic } = view.look(name)
    const body = bodyOf(topic, seat.bars)
    const hasOlder = topic !== undefined && (topic.hasOlder || body.count === seat.bars)
    const startsAtMs = hasOlder ? null : (topic?.startsAtMs ?? null)
    seat.seq = topic?.seq
    seat.epoch = epoch
    seat.line.send(snapshotFrame({ t: 'snap', id: seat.id, k, epoch, seq: body.seq, hasOlder, startsAtMs, condition }, body))
  }

  /** Says that there are no candles, unless they are on their way: then they come as soon as they are read. */
  function answerWithout(seat: Seat): void {
    const { topic, condition } = view.look(name)
    if (seats.has(seat) && topic === undefined && condition.label === null) sendSnapshot(seat)
  }

  function deliver(seat: Seat): void {
    if (!seats.has(seat)) return
    const { epoch, topic } = view.look(name)
    // Candles are being read again; the reset that follows defers the seat again.
    if (topic === undefined) return
    const missed = seat.epoch === epoch && seat.seq !== undefined ? topic.since(seat.seq) : undefined
    if (missed?.length === 0) return
    if (!seat.line.mayTake(missed?.length ?? seat.bars)) return seat.line.defer(seat)
    if (missed === undefined || seat.seq === undefined) return sendSnapshot(seat)
    seat.line.send(frameOf({ t: 'upd', k, p: seat.seq, q: topic.seq, c: missed.map(rowOf) }))
    seat.seq = topic.seq
  }

  function serve(seat: Seat, frame: Buffer, p: number, q: number): void {
    if (!seats.has(seat)) return
    if (seat.seq === p && seat.line.isRoomy()) {
      seat.line.send(frame)
      seat.seq = q
    } else if (seat.seq !== undefined && seat.seq < q) seat.line.defer(seat)
  }

  const stop = view.watch(name, {
    reset: () =>
      inSlices([...seats], (seat) => {
        if (!seats.has(seat)) return
        seat.epoch = ''
        if (view.look(name).topic === undefined) sendSnapshot(seat)
        else seat.line.defer(seat)
      }),
    changed(candles: readonly Candle[], p: number, q: number) {
      if (seats.size === 0) return
      const frame = frameOf({ t: 'upd', k, p, q, c: candles.map(rowOf) })
      inSlices([...seats], (seat) => serve(seat, frame, p, q))
    },
    condition(condition: LiveCondition) {
      const frame = frameOf({ t: 'cond', k, condition })
      inSlices([...seats], (seat) => {
        if (seats.has(seat)) seat.line.send(frame)
      })
    },
  })

  return {
    enter(seat, since) {
      seats.add(seat)
      const { epoch, condition, topic } = view.look(name)
      if (topic === undefined) {
        void view.known().then(() => answerWithout(seat))
        return
      }
      if (since?.epoch === epoch && topic.since(since.seq) !== undefined) {
        seat.epoch = epoch
        seat.seq = since.seq
        seat.line.send(frameOf({ t: 'cont', id: seat.id, k, condition }))
      }
      seat.line.defer(seat)
    },
    leave: (seat) => void seats.delete(seat),
    deliver,
    costOf: (seat) => (seat.seq === undefined || seat.epoch === '' ? seat.bars : updateCost),
    get size() {
      return seats.size
    },
    close: stop,
  }
}
