// Hands on what a quote says: its trade, and the doubt whether history knows more.
import type { QuoteTrades, StatedQuote } from './quote-trades.ts'
import type { SocketLink } from './socket-loop-port.ts'

/** Tells the listeners of a symbol the trade behind a quote; has them ask history where a volume may be wrong. */
export function passQuote(to: { readonly link: SocketLink; readonly quotes: QuoteTrades }, symbol: string, quote: StatedQuote): void {
  const { link, quotes } = to
  const { trade, isDoubtful } = quotes.read(symbol, quote)
  if (trade !== null) link.trade(symbol, trade)
  if (!isDoubtful) return
  quotes.live(symbol)
  link.resync(symbol)
}
