// Forwards a quote: its trade, and a resync request if history may know more.
import type { QuoteTrades, StatedQuote } from './quote-trades.ts'
import type { SocketLink } from './websocket/types.ts'

/** Emits the trade of a quote to the listeners of its symbol; requests a resync if a volume may be wrong. */
export function passQuote(to: { readonly link: SocketLink; readonly quotes: QuoteTrades }, symbol: string, quote: StatedQuote): void {
  const { link, quotes } = to
  const { trade, isDoubtful } = quotes.read(symbol, quote)
  if (trade !== null) link.trade(symbol, trade)
  if (!isDoubtful) return
  quotes.live(symbol)
  link.resync(symbol)
}
