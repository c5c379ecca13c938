// OpenAlgo symbols as this program writes them: exchange and symbol separated by a colon, such as NSE_INDEX:NIFTY.
import type { SessionClass } from '#shared/trading-hours/session-class.ts'

export interface OpenAlgoSymbol {
  readonly exchange: string
  readonly symbol: string
}

/** Parses `NSE:RELIANCE`; null for an invalid symbol. */
export function readOpenAlgoSymbol(text: string): OpenAlgoSymbol | null {
  const at = text.indexOf(':')
  return at > 0 && at < text.length - 1 ? { exchange: text.slice(0, at), symbol: text.slice(at + 1) } : null
}

export function writeOpenAlgoSymbol({ exchange, symbol }: OpenAlgoSymbol): string {
  return `${exchange}:${symbol}`
}

/** Whether it is an index, which has no volume; brokers send 0 or arbitrary values there. */
export function isOpenAlgoIndex({ exchange }: OpenAlgoSymbol): boolean {
  return exchange.endsWith('_INDEX')
}

const classByExchange: Readonly<Record<string, SessionClass>> = {
  NSE: 'nse-equity',
  NSE_INDEX: 'nse-index',
  BSE_INDEX: 'bse-index',
}

/** Trading hours of a symbol, or null if unknown. */
export function openAlgoSessionClass({ exchange }: OpenAlgoSymbol): SessionClass | null {
  return classByExchange[exchange] ?? null
}
