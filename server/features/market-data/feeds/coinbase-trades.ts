// Orders the trades of one Coinbase product by sequence number and fetches those that the stream missed.
import type { FeedLog, Trade } from '../feed.ts'

export interface NumberedTrade extends Trade {
  readonly id: number
}

export interface TradeLineOptions {
  /** Recent trades since an instant, in any order; as many as the provider returns. */
  recent(fromMs: number): Promise<readonly NumberedTrade[]>
  /** Start of the provider's current minute. */
  minuteStartMs(): number
  emit(trade: Trade): void
  /** All trades of the current minute are known or could not be fetched; emitted before the trades themselves. */
  complete(): void
  /** The provider reports that nothing was traded since the last known trade. */
  alive(): void
  readonly log: FeedLog
}

export interface TradeLine {
  /** Fetches the current minute from its start; until then streamed trades are buffered. */
  begin(): void
  receive(trade: NumberedTrade): void
  /** Sequence number of the provider's newest trade, and whether the message is newer than the last one. */
  expect(id: number, isNew: boolean): void
  stop(): void
}

/** Number of recent sequence numbers kept to detect duplicates. */
const remembered = 5000

/** Starts the sequence of one product on one connection. */
export function tradeLine(options: TradeLineOptions): TradeLine {
  const seen = new Set<number>()
  let waiting: NumberedTrade[] | undefined
  let lastId = -Infinity
  let isStopped = false

  function pass(trade: NumberedTrade): void {
    if (seen.has(trade.id)) return
    seen.add(trade.id)
    if (seen.size > remembered) for (const oldest of seen.values().take(1)) seen.delete(oldest)
    lastId = Math.max(lastId, trade.id)
    const { timeMs, price, size, isTakerBuy } = trade
    options.emit({ timeMs, price, size, isTakerBuy })
  }

  async function fill(): Promise<void> {
    waiting = []
    const fromMs = options.minuteStartMs()
    let found: readonly NumberedTrade[] = []
    try {
      found = await options.recent(fromMs)
    } catch (error) {
      options.log('Coinbase: missed trades cannot be fetched', { error: error instanceof Error ? error.message : 'unknown' })
    }
    if (isStopped) return
    const all = [...found.filter((trade) => trade.timeMs >= fromMs), ...waiting]
    waiting = undefined
    // Trades before the minute are not emitted, but their numbers define the next expected one.
    lastId = found.reduce((last, { id, timeMs }) => (timeMs < fromMs ? Math.max(last, id) : last), lastId)
    options.complete()
    for (const trade of all.toSorted((one, other) => one.id - other.id)) pass(trade)
  }

  function startFill(): void {
    fill().catch((error: unknown) => options.log('Coinbase: trades are handled wrongly', { error: String(error) }))
  }

  const isFilling = () => waiting !== undefined

  return {
    begin: () => startFill(),
    receive(trade) {
      if (!isFilling() && lastId > -Infinity && trade.id > lastId + 1) startFill()
      if (waiting === undefined) pass(trade)
      else waiting.push(trade)
    },
    expect(id, isNew) {
      if (isFilling() || lastId === -Infinity) return
      if (id > lastId) {
        // The gap may lie before the minute, where only history helps; it is requested once.
        lastId = id
        startFill()
      } else if (isNew) options.alive()
    },
    stop() {
      isStopped = true
    },
  }
}
