// One resilient WebSocket for all symbols of a provider: subscribes, notices cuts and silence, tries again, and renews itself before the provider would.
import { backOffDelayMs } from '#shared/base/back-off.ts'
import { countedLog } from '../counted-log.ts'
import type { FeedSink, FeedState } from '../feed.ts'
import { openLine, type Line } from './socket-loop-line.ts'
import type { SocketLink, SocketLoop, SocketLoopNeeds } from './socket-loop-port.ts'

const firstRetryMs = 1000
const lastRetryMs = 60_000
/** A connection that held so long starts the waits anew. */
const stableMs = 30_000
/** After a refusal of everything, as of a bad key. */
const refusedRetryMs = 300_000
/** A connection without symbols is kept so long, for the next chart. */
const lingerMs = 5000
/** After malformed frames history is asked once in so long. */
const resyncEveryMs = 10_000

interface Watched {
  readonly sinks: Set<FeedSink>
  /** What the sinks were told last. */
  state: FeedState
  /** The line whose word counts for this symbol. */
  line: Line | undefined
}

/** Starts a loop; nothing is dialled before the first symbol is watched. See socket-loop-port.ts for the parts. */
export function socketLoop(needs: SocketLoopNeeds): SocketLoop {
  const { name, clock, log, limits } = needs
  const watched = new Map<string, Watched>()
  const counted = countedLog({ clock, log })
  let current: Line | undefined
  /** The one that takes over when it is ready. */
  let next: Line | undefined
  let attempts = 0
  let stopRetry: (() => void) | undefined
  let stopLinger: (() => void) | undefined
  let stopResync: (() => void) | undefined
  let isBatching = false
  let isClosed = false

  function tell(symbol: string, state: FeedState): void {
    const one = watched.get(symbol)
    if (one === undefined) return
    one.state = state
    for (const sink of one.sinks) sink.state(state)
  }

  const tellAll = (state: FeedState) => {
    for (const symbol of watched.keys()) tell(symbol, state)
  }

  function subscribe(line: Line): void {
    const known = (symbol: string) => line.pending.has(symbol) || line.accepted.has(symbol) || line.refused.has(symbol)
    const wanted = [...watched.keys()].filter((symbol) => !known(symbol))
    const room = Math.max(0, limits.mostSymbols - line.pending.size - line.accepted.size)
    for (const symbol of wanted.slice(room)) refuse(line, symbol, `${name} has no room for more symbols on one connection`)
    if (wanted.length > 0 && room > 0) line.subscribe(wanted.slice(0, room))
    settleNext()
  }

  /** The next line takes over as soon as it has an answer for every symbol. */
  function settleNext(): void {
    if (next?.readyMs === undefined || next.pending.size > 0) return
    const old = current
    current = next
    next = undefined
    old?.close()
  }

  function refuse(line: Line, symbol: string, reason: string): void {
    line.pending.delete(symbol)
    line.accepted.delete(symbol)
    line.refused.add(symbol)
    const one = watched.get(symbol)
    if (one !== undefined) one.line = line
    tell(symbol, { kind: 'refused', reason })
    settleNext()
  }

  function linkOf(line: Line): SocketLink {
    const owner = (symbol: string) => {
      const one = watched.get(symbol)
      return one?.line === line ? one : undefined
    }
    return {
      send: (frame) => line.send(frame),
      ready: () => line.ready(),
      accepted(symbols) {
        for (const symbol of symbols) {
          if (!line.pending.delete(symbol)) continue
          line.accepted.add(symbol)
          const one = watched.get(symbol)
          if (one !== undefined) one.line = line
          tell(symbol, { kind: 'live' })
        }
        settleNext()
      },
      refused: (symbol, reason) => refuse(line, symbol, reason),
      refuseAll: (reason) => refuseAll(line, reason),
      minute(symbol, candle, isDone) {
        for (const sink of owner(symbol)?.sinks ?? []) sink.minute(candle, isDone)
      },
      trade(symbol, trade) {
        for (const sink of owner(symbol)?.sinks ?? []) sink.trade(trade)
      },
      alive(symbol) {
        for (const sink of owner(symbol)?.sinks ?? []) sink.alive?.()
      },
      resync(symbol) {
        if (owner(symbol)?.state.kind === 'live') tell(symbol, { kind: 'live' })
      },
      renew: (reason) => renew(line, reason),
      fail: (reason) => line.fail(reason),
    }
  }

  function open(): Line {
    return openLine(needs, linkOf, { ready: subscribe, ended, aged: (line) => renew(line, 'is old enough'), malformed: skip })
  }

  function dial(): void {
    stopRetry = undefined
    if (isClosed || current !== undefined || watched.size === 0) return
    tellAll({ kind: 'connecting' })
    current = open()
  }

  function renew(line: Line, reason: string): void {
    if (line !== current || next !== undefined || isClosed) return
    log(`${name}: a new connection takes over`, { reason })
    next = open()
  }

  function refuseAll(line: Line, reason: string): void {
    line.close()
    if (line === next) next = undefined
    if (line === current) {
      current = next
      next = undefined
    }
    if (current !== undefined) return
    log(`${name} refused`, { reason })
    tellAll({ kind: 'refused', reason })
    stopRetry?.()
    stopRetry = clock.after(refusedRetryMs, dial)
  }

  function ended(line: Line, reason: string, status: number | undefined): void {
    const refusal = status === undefined ? undefined : needs.refusal?.(status)
    if (refusal !== undefined) return refuseAll(line, refusal)
    if (line === next) return nextEnded(line, reason)
    if (line !== current) return
    log(`${name}: connection lost`, { reason })
    current = next
    next = undefined
    if (current !== undefined) {
      for (const [symbol, one] of watched) if (one.line === line) tell(symbol, { kind: 'down', reason, retryInMs: 0 })
      return
    }
    if (line.readyMs !== undefined && clock.monotonic() - line.readyMs >= stableMs) attempts = 0
    const retryInMs = backOffDelayMs(attempts, { firstMs: firstRetryMs, maxMs: lastRetryMs }, clock.random())
    attempts += 1
    stopRetry?.()
    stopRetry = clock.after(retryInMs, dial)
    tellAll({ kind: 'down', reason, retryInMs })
  }

  /** What it had taken over already goes back to the line that still stands, which may have missed something. */
  function nextEnded(line: Line, reason: string): void {
    log(`${name}: the new connection failed, the old one stays`, { reason })
    next = undefined
    const old = current
    if (old === undefined) return
    for (const [symbol, one] of watched) {
      if (one.line !== line) continue
      one.line = old
      if (old.accepted.has(symbol)) tell(symbol, { kind: 'live' })
    }
    stopRetry ??= clock.after(lastRetryMs, () => {
      stopRetry = undefined
      if (current !== undefined) renew(current, 'tried again')
      else dial()
    })
  }

  function skip(line: Line, error: unknown): void {
    counted.log(`${name}: a frame that cannot be read`, { error: error instanceof Error ? error.name : 'unknown' })
    stopResync ??= clock.after(0, () => {
      for (const [symbol, one] of watched) if (one.line === line && one.state.kind === 'live') tell(symbol, { kind: 'live' })
      stopResync = clock.after(resyncEveryMs, () => {
        stopResync = undefined
      })
    })
  }

  /** Subscriptions of one moment go out together. */
  function batch(): void {
    if (isBatching) return
    isBatching = true
    queueMicrotask(() => {
      isBatching = false
      if (isClosed) return
      if (current === undefined && stopRetry === undefined) dial()
      for (const line of [current, next]) if (line?.readyMs !== undefined) subscribe(line)
    })
  }

  function unwatch(symbol: string, sink: FeedSink): void {
    const one = watched.get(symbol)
    if (one === undefined || !one.sinks.delete(sink) || one.sinks.size > 0) return
    watched.delete(symbol)
    for (const line of [current, next]) if (line?.readyMs !== undefined) line.unsubscribe([symbol])
    settleNext()
    if (watched.size === 0) stopLinger = clock.after(lingerMs, hangUp)
  }

  function hangUp(): void {
    for (const stop of [stopRetry, stopLinger, stopResync]) stop?.()
    stopRetry = undefined
    stopLinger = undefined
    stopResync = undefined
    counted.stop()
    current?.close()
    next?.close()
    current = undefined
    next = undefined
  }

  return {
    watch(symbol, sink) {
      stopLinger?.()
      stopLinger = undefined
      const one = watched.get(symbol) ?? { sinks: new Set<FeedSink>(), state: { kind: 'connecting' } as const, line: undefined }
      watched.set(symbol, one)
      one.sinks.add(sink)
      sink.state(one.state)
      batch()
      return () => unwatch(symbol, sink)
    },
    async close() {
      isClosed = true
      watched.clear()
      hangUp()
    },
  }
}
