// Everybody here who watches one series in one timeframe: one frame is made per change and handed to all.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { CandleRow, LiveCondition, LiveCursor, ServerMessage } from '#shared/market/live.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { SeriesView } from './series-view.ts'

/** What a room needs of a connection. */
export interface LiveLine {
  /** Whether so little waits to be sent that one more frame does no harm. */
  isRoomy(): boolean
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
  /** Sends what slow watchers missed, to those who can take it again. */
  catchUp(): void
  readonly size: number
  close(): void
}

/** So many are served before others of the process get their turn. */
const sliceSize = 1_000

export function frameOf(message: ServerMessage): Buffer {
  return Buffer.from(JSON.stringify(message))
}

export function rowOf(candle: Candle): CandleRow {
  return [candle.timeMs, candle.open, candle.high, candle.low, candle.close, candle.volume, candle.takerBuyVolume]
}

/** A room of a view; it watches the view until it is closed. */
export function liveRoom(view: SeriesView, topicName: string, timeframe: Timeframe): LiveRoom {
  const seats = new Set<Seat>()
  const behind = new Set<Seat>()
  const k = topicName

  function snapshot(seat: Seat): void {
    const { epoch, condition, topic } = view.look(timeframe)
    const candles = topic?.newest(seat.bars) ?? []
    const hasOlder = topic !== undefined && (topic.hasOlder || candles.length === seat.bars)
    seat.seq = topic?.seq
    seat.epoch = epoch
    behind.delete(seat)
    seat.line.send(frameOf({ t: 'snap', id: seat.id, k, epoch, seq: topic?.seq ?? 0, candles: candles.map(rowOf), hasOlder, condition }))
  }

  /** Says that there are no candles, unless they are on their way: then they come as soon as they are read. */
  function answerWithout(seat: Seat): void {
    const { topic, condition } = view.look(timeframe)
    if (seats.has(seat) && topic === undefined && condition.label === null) snapshot(seat)
  }

  function serveLate(seat: Seat): void {
    const { epoch, topic } = view.look(timeframe)
    if (topic === undefined) return
    const missed = seat.epoch === epoch && seat.seq !== undefined ? topic.since(seat.seq) : undefined
    if (missed === undefined || seat.seq === undefined) return snapshot(seat)
    behind.delete(seat)
    if (missed.length === 0) return
    seat.line.send(frameOf({ t: 'upd', k, p: seat.seq, q: topic.seq, c: missed.map(rowOf) }))
    seat.seq = topic.seq
  }

  function serve(seat: Seat, frame: Buffer, p: number, q: number): void {
    if (!seats.has(seat)) return
    if (seat.seq === p && seat.line.isRoomy()) {
      seat.line.send(frame)
      seat.seq = q
    } else if (seat.seq !== undefined && seat.seq < q) behind.add(seat)
  }

  /** In slices, so that a room of thousands does not keep the calls of everybody else waiting. */
  function serveAll(all: readonly Seat[], run: (seat: Seat) => void): void {
    for (const seat of all.slice(0, sliceSize)) run(seat)
    if (all.length > sliceSize) setImmediate(() => serveAll(all.slice(sliceSize), run))
  }

  const stop = view.watch(timeframe, {
    reset: () =>
      serveAll([...seats], (seat) => {
        if (!seats.has(seat)) return
        if (seat.line.isRoomy()) snapshot(seat)
        else {
          seat.epoch = ''
          behind.add(seat)
        }
      }),
    changed(candles: readonly Candle[], p: number, q: number) {
      if (seats.size === 0) return
      const frame = frameOf({ t: 'upd', k, p, q, c: candles.map(rowOf) })
      serveAll([...seats], (seat) => serve(seat, frame, p, q))
    },
    condition(condition: LiveCondition) {
      const frame = frameOf({ t: 'cond', k, condition })
      serveAll([...seats], (seat) => {
        if (seats.has(seat)) seat.line.send(frame)
      })
    },
  })

  return {
    enter(seat, since) {
      seats.add(seat)
      const { epoch, condition, topic } = view.look(timeframe)
      if (topic === undefined) return void view.known().then(() => answerWithout(seat))
      const missed = since?.epoch === epoch ? topic.since(since.seq) : undefined
      if (missed === undefined || since === undefined) return snapshot(seat)
      seat.epoch = epoch
      seat.seq = since.seq
      seat.line.send(frameOf({ t: 'cont', id: seat.id, k, condition }))
      serveLate(seat)
    },
    leave(seat) {
      seats.delete(seat)
      behind.delete(seat)
    },
    catchUp() {
      for (const seat of behind) if (seat.line.isRoomy()) serveLate(seat)
    },
    get size() {
      return seats.size
    },
    close: stop,
  }
}
