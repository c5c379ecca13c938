// Symbols of OpenAlgo as this program writes them: exchange and symbol with a colon between, such as NSE_INDEX:NIFTY.
import type { SessionClass } from '#shared/market/sessions/session-class.ts'

export interface OpenAlgoSymbol {
  readonly exchange: string
  readonly symbol: string
}

/** Reads `NSE:RELIANCE`; null for a text that is no such symbol. */
export function readOpenAlgoSymbol(text: string): OpenAlgoSymbol | null {
  const at = text.indexOf(':')
  return at > 0 && at < text.length - 1 ? { exchange: text.slice(0, at), symbol: text.slice(at + 1) } : null
}

export function writeOpenAlgoSymbol({ exchange, symbol }: OpenAlgoSymbol): string {
  return `${exchange}:${symbol}`
}

/** Whether it is an index, which has no volume; brokers write 0 or anything else there. */
export function isOpenAlgoIndex({ exchange }: OpenAlgoSymbol): boolean {
  return exchange.endsWith('_INDEX')
}

const classByExchange: Readonly<Record<string, SessionClass>> = {
  NSE: 'nse-equity',
  NSE_INDEX: 'nse-index',
  BSE_INDEX: 'bse-index',
}

/** Trading hours of a symbol, or null where they are not known. */
export function openAlgoSessionClass({ exchange }: OpenAlgoSymbol): SessionClass | null {
  return classByExchange[exchange] ?? null
}
