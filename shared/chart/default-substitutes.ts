// Default substitutes for symbols that the widget does not show; an admin can change them for each instrument.
// CFDs over the counter trade in the hours of currencies; where a dealer pauses in between is not published.
import type { Substitute } from './chart-choice.ts'

const nifty: readonly Substitute[] = [
  { symbol: 'STONEXTRADING:INDIA50CFD', title: 'India 50 CFD by StoneX', widget: 'live', sessionClass: 'fx' },
  { symbol: 'BSE:NIFTYBEES', title: 'Nippon India Nifty 50 BeES ETF', widget: 'end-of-day', sessionClass: 'bse-index' },
]

const banks: readonly Substitute[] = [
  { symbol: 'BSE:BANKBEES', title: 'Nippon India Nifty Bank BeES ETF', widget: 'end-of-day', sessionClass: 'bse-index' },
  { symbol: 'BSE:BANKEX', title: 'BSE BANKEX index', widget: 'end-of-day', sessionClass: 'bse-index' },
]

const table: Readonly<Record<string, readonly Substitute[]>> = {
  nifty,
  nifty50: nifty,
  es: [
    { symbol: 'FOREXCOM:SPX500', title: 'S&P 500 CFD by FOREX.com', widget: 'live', sessionClass: 'cme' },
    { symbol: 'FOREXCOM:SPXUSD', title: 'S&P 500 CFD by FOREX.com', widget: 'live', sessionClass: 'cme' },
  ],
  'gold-future': [
    { symbol: 'OANDA:XAUUSD', title: 'Gold spot by OANDA', widget: 'live', sessionClass: 'metals' },
    { symbol: 'TVC:GOLD', title: 'Gold spot by TVC', widget: 'live', sessionClass: 'metals' },
  ],
  banknifty: banks,
  finnifty: banks,
}

/** Default substitutes of an instrument, best first. */
export function defaultSubstitutesOf(slug: string): readonly Substitute[] {
  return Object.hasOwn(table, slug) ? (table[slug] ?? []) : []
}
