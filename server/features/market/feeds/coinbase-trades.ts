// Trades of one Coinbase product in order and without holes: trades are numbered, so what a stream missed is known and fetched.
import type { FeedLog, Trade } from '../feed.ts'

export interface NumberedTrade extends Trade {
  readonly id: number
}

export interface TradeLineNeeds {
  /** Recent trades from an instant on, in any order; as many as the provider gives. */
  recent(fromMs: number): Promise<readonly NumberedTrade[]>
  /** Start of the minute that forms at the provider. */
  minuteStartMs(): number
  emit(trade: Trade): void
  /** All trades of the forming minute are known or could not be fetched; comes before the trades themselves. */
  complete(): void
  /** The provider states that nothing was traded since the last trade that is known. */
  alive(): void
  readonly log: FeedLog
}

export interface TradeLine {
  /** Fetches the forming minute from its start; until then what is heard waits. */
  begin(): void
  hear(trade: NumberedTrade): void
  /** The provider's newest trade has this number. */
  expect(id: number): void
  stop(): void
}

/** So many numbers are remembered to know a repetition. */
const remembered = 5000

/** A line for one product on one connection. */
export function tradeLine(needs: TradeLineNeeds): TradeLine {
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
    needs.emit({ timeMs, price, size, isTakerBuy })
  }

  async function fill(): Promise<void> {
    waiting = []
    const fromMs = needs.minuteStartMs()
    const found: NumberedTrade[] = []
    try {
      found.push(...(await needs.recent(fromMs)))
    } catch (error) {
      needs.log('Coinbase: missed trades cannot be fetched', { error: error instanceof Error ? error.message : 'unknown' })
    }
    if (isStopped) return
    const all = [...found.filter((trade) => trade.timeMs >= fromMs), ...waiting]
    waiting = undefined
    // Trades before the minute are not told, but their numbers say what has to come next.
    lastId = found.reduce((last, { id, timeMs }) => (timeMs < fromMs ? Math.max(last, id) : last), lastId)
    needs.complete()
    for (const trade of all.toSorted((one, other) => one.id - other.id)) pass(trade)
  }

  const isFilling = () => waiting !== undefined

  return {
    begin: () => void fill(),
    hear(trade) {
      if (!isFilling() && lastId > -Infinity && trade.id > lastId + 1) void fill()
      if (waiting === undefined) pass(trade)
      else waiting.push(trade)
    },
    expect(id) {
      if (isFilling() || lastId === -Infinity) return
      if (id <= lastId) needs.alive()
      else {
        // The hole may lie before the minute, where only history helps; it is asked for once.
        lastId = id
        void fill()
      }
    },
    stop() {
      isStopped = true
    },
  }
}
