// Default substitutes for symbols that the widget does not show; an admin can change them for each instrument.
import type { Substitute } from './engine-choice.ts'

const nifty: readonly Substitute[] = [
  { symbol: 'BSE:NIFTYBEES', title: 'Nippon India Nifty 50 BeES ETF', widget: 'end-of-day' },
  { symbol: 'STONEXTRADING:INDIA50CFD', title: 'India 50 CFD by StoneX', widget: 'live' },
]

const banks: readonly Substitute[] = [
  { symbol: 'BSE:BANKBEES', title: 'Nippon India Nifty Bank BeES ETF', widget: 'end-of-day' },
  { symbol: 'BSE:BANKEX', title: 'BSE BANKEX index', widget: 'end-of-day' },
]

const table: Readonly<Record<string, readonly Substitute[]>> = {
  nifty,
  nifty50: nifty,
  es: [
    { symbol: 'FOREXCOM:SPX500', title: 'S&P 500 CFD by FOREX.com', widget: 'live' },
    { symbol: 'FOREXCOM:SPXUSD', title: 'S&P 500 CFD by FOREX.com', widget: 'live' },
  ],
  'gold-future': [
    { symbol: 'OANDA:XAUUSD', title: 'Gold spot by OANDA', widget: 'live' },
    { symbol: 'TVC:GOLD', title: 'Gold spot by TVC', widget: 'live' },
  ],
  banknifty: banks,
  finnifty: banks,
}

/** Default substitutes of an instrument, best first. */
export function defaultSubstitutesOf(slug: string): readonly Substitute[] {
  return Object.hasOwn(table, slug) ? (table[slug] ?? []) : []
}
