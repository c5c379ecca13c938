// A local provider that plays known trades on the test's clock through a dialect, with errors on demand.
import { dayMs, hourMs, minuteMs, secondMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { HistoryStep, Trade } from '../../feed.ts'
import { stepEndMs } from '../../coverage.ts'
import type { Dialect, DialectRequest, Frame, Truth } from './dialect.ts'
import { settle, type ManualClock } from './manual-clock.ts'
import { scriptedServer, type Faults } from './scripted-server.ts'
import { fillQuiet, minutesOf, stepsOf } from './expected-candles.ts'

const pingEveryMs = 20_000

export interface ScriptedExchange {
  readonly dialect: Dialect
  readonly restUrl: string
  readonly socketUrl: string
  readonly truth: Truth
  readonly faults: Faults
  /** Connections made since the start, and open ones. */
  readonly dials: { total: number; open: number }
  readonly requests: DialectRequest[]
  /** Frames sent by clients, as text or bytes, with their real arrival times. */
  readonly received: { frame: Frame; timeMs: number }[]
  /** Advances the market, waiting for the sockets after each event. Long spans use fewer heartbeats. */
  play(ms: number, beatEveryMs?: number): Promise<void>
  /** Closes every connection: abruptly, or with a closing handshake and this code. */
  cut(code?: number): Promise<void>
  /** Sends the provider's disconnect notice. */
  announceShutdown(): Promise<void>
  settle(): Promise<void>
  /** Expected adapter output: closed minutes of a symbol with timestamps in [fromMs, toMs). */
  expected(symbol: string, fromMs: number, toMs: number): Candle[]
  /** Expected adapter output: closed hours or days with timestamps from `fromMs`. */
  expectedSteps(symbol: string, step: '1h' | '1D', fromMs: number): Candle[]
  close(): Promise<void>
}

export interface ScriptedOptions {
  readonly dialect: Dialect
  readonly clock: ManualClock
  /** All past and future trades, ascending, by symbol; in the exchange's own time. */
  readonly trades: Readonly<Record<string, readonly Trade[]>>
}

function truthOf({ dialect, trades, clock }: ScriptedOptions, faults: Faults): Truth {
  const nowMs = () => clock.now() + faults.skewMs
  const known = (symbol: string) => (trades[symbol] ?? []).filter((trade) => trade.timeMs <= nowMs())
  const settled = new Map<string, { readonly untilMs: number; readonly minutes: readonly Candle[] }>()
  const fill = (minutes: readonly Candle[], untilMs: number): readonly Candle[] =>
    dialect.quietMinutes === 'flat' ? fillQuiet(minutes, dialect.sessionClass, untilMs) : minutes

  /** Minutes that ended more than an hour ago, which no longer change. */
  function settledMinutes(symbol: string, untilMs: number): readonly Candle[] {
    const before = settled.get(symbol)
    if (before?.untilMs === untilMs) return before.minutes
    const past = minutesOf(known(symbol).filter(({ timeMs }) => timeMs < untilMs))
    const minutes = fill(past, untilMs - minuteMs)
    settled.set(symbol, { untilMs, minutes })
    return minutes
  }

  function minutesNow(symbol: string): Candle[] {
    const untilMs = Math.floor(nowMs() / hourMs - 1) * hourMs
    const past = settledMinutes(symbol, untilMs)
    const recent = minutesOf(known(symbol).filter(({ timeMs }) => timeMs >= untilMs))
    const last = past.slice(-1)
    return [...past, ...fill([...last, ...recent], nowMs()).slice(last.length)]
  }

  return {
    nowMs,
    trades: known,
    candles(symbol: string, step: HistoryStep) {
      return stepsOf(minutesNow(symbol), dialect.sessionClass, step)
    },
    isOffered: (symbol) => symbol in trades && !faults.notOffered.has(symbol),
  }
}

/** Starts an exchange. */
export async function scriptedExchange(options: ScriptedOptions): Promise<ScriptedExchange> {
  const { dialect, clock, trades } = options
  const faults: Faults = { skewMs: 0, http: undefined, frame: undefined, isFrozen: false, rejectDialWith: undefined, notOffered: new Set() }
  const truth = truthOf(options, faults)
  const server = await scriptedServer({ dialect, clock, truth, faults })
  const rest = () => settle([() => server.activity(), () => clock.activity()])

  const asStated = (candle: Candle): Candle => ({
    ...candle,
    volume: dialect.hasVolume ? candle.volume : null,
    takerBuyVolume: dialect.hasTakerBuyVolume === true ? candle.takerBuyVolume : null,
  })

  function happen(symbol: string, trade: Trade | undefined, atMs: number): void {
    const isClosed = trade === undefined
    const minuteStartMs = isClosed ? atMs - minuteMs : atMs - (atMs % minuteMs)
    const minute = truth.candles(symbol, '1m').findLast((candle) => candle.timeMs === minuteStartMs)
    if (minute === undefined) return
    const dayStartMs = atMs - (atMs % dayMs)
    const dayVolume = truth.trades(symbol).reduce((sum, one) => sum + (one.timeMs >= dayStartMs ? (one.size ?? 0) : 0), 0)
    const event = { symbol, trade, minute, isClosed, dayVolume, timeMs: atMs }
    for (const line of server.lines)
      if (line.peer.subscribed.has(symbol)) server.deliver(line, dialect.frames?.(event, line.peer, truth) ?? [], event)
  }

  function beat(atMs: number): void {
    for (const line of server.lines) {
      server.deliver(line, dialect.heartbeat?.(line.peer, truth) ?? [])
      if (atMs % pingEveryMs === 0) server.ping(line)
    }
  }

  /** Event times in (fromMs, toMs], in the exchange's time. */
  function agenda(fromMs: number, toMs: number, beatEveryMs: number): { atMs: number; run: () => void }[] {
    const items: { atMs: number; order: number; run: () => void }[] = []
    for (let second = (Math.floor(fromMs / beatEveryMs) + 1) * beatEveryMs; second <= toMs; second += beatEveryMs) {
      items.push({ atMs: second, order: 2, run: () => beat(second) })
      if (second % minuteMs === 0)
        for (const symbol of Object.keys(trades)) items.push({ atMs: second, order: 0, run: () => happen(symbol, undefined, second) })
    }
    for (const [symbol, all] of Object.entries(trades)) {
      for (const trade of all) {
        if (trade.timeMs > fromMs && trade.timeMs <= toMs)
          items.push({ atMs: trade.timeMs, order: 1, run: () => happen(symbol, trade, trade.timeMs) })
      }
    }
    return items.toSorted((one, other) => one.atMs - other.atMs || one.order - other.order)
  }

  /** One timer at a time, so that its traffic is sent before the next one runs. */
  async function passTo(ms: number): Promise<void> {
    for (let due = clock.nextDueMs(); due !== undefined && due <= ms; due = clock.nextDueMs()) {
      clock.advance(Math.max(0, due - clock.now()))
      await rest()
    }
    clock.advance(ms - clock.now())
  }

  return {
    dialect,
    restUrl: `http://127.0.0.1:${server.port}`,
    socketUrl: `ws://127.0.0.1:${server.port}`,
    truth,
    faults,
    dials: server.dials,
    requests: server.requests,
    received: server.received,
    settle: rest,
    async play(ms, beatEveryMs = secondMs) {
      const endMs = clock.now() + ms
      await rest()
      for (const { atMs, run } of agenda(truth.nowMs(), endMs + faults.skewMs, beatEveryMs)) {
        await passTo(atMs - faults.skewMs)
        run()
        await rest()
      }
      await passTo(endMs)
      await rest()
    },
    async cut(code) {
      for (const { socket } of server.lines) {
        if (code === undefined) socket.terminate()
        else socket.close(code)
      }
      await rest()
    },
    async announceShutdown() {
      const notice = dialect.shutdownNotice?.(truth)
      for (const line of server.lines) if (notice !== undefined) server.deliver(line, [notice])
      await rest()
    },
    expected: (symbol, fromMs, toMs) =>
      truth
        .candles(symbol, '1m')
        .filter((candle) => candle.timeMs + minuteMs <= truth.nowMs() && candle.timeMs >= fromMs && candle.timeMs < toMs)
        .map(asStated),
    expectedSteps: (symbol, step, fromMs) =>
      truth
        .candles(symbol, step)
        .filter((candle) => candle.timeMs >= fromMs && stepEndMs(step, candle.timeMs, dialect.sessionClass) <= truth.nowMs())
        .map(asStated),
    close: () => server.close(),
  }
}
