// Corporate actions of shares: marked on the chart, and applied in the adjusted view only.

/** `splits`: splits and bonuses; `all`: demergers as well. */
export const adjustments = ['splits', 'all', 'none'] as const

/** Which corporate actions earlier prices are adjusted for. Stored candles are unadjusted. */
export type Adjustment = (typeof adjustments)[number]

export const defaultAdjustment: Adjustment = 'splits'

export interface CorporateAction {
  readonly series: string
  /** Ex-date, for example 2025-10-14. */
  readonly exDate: string
  readonly kind: 'split' | 'bonus' | 'demerger' | 'rename'
  /** Multiplies earlier prices to make them comparable; 1 for a rename. */
  readonly priceFactor: number
  readonly note: string
  readonly sourceRef: string
}

const corporateActions: readonly CorporateAction[] = [
  {
    series: 'tata-motors',
    exDate: '2025-10-14',
    kind: 'demerger',
    // First price without the commercial vehicles business over the last close with it.
    priceFactor: 400 / 660.75,
    note: 'Commercial vehicles became a company of their own (TMCV); this share goes on as TMPV.',
    sourceRef: 'NSE, special pre-open session of 14 October 2025',
  },
  {
    series: 'tata-motors',
    exDate: '2025-10-24',
    kind: 'rename',
    priceFactor: 1,
    note: 'The symbol TATAMOTORS became TMPV.',
    sourceRef: 'NSE, change of symbol of October 2025',
  },
  {
    series: 'bajaj-finance',
    exDate: '2025-06-16',
    kind: 'bonus',
    priceFactor: 1 / 5,
    note: 'Four bonus shares for each one, together with the split of the same day.',
    sourceRef: 'NSE, corporate actions of June 2025',
  },
  {
    series: 'bajaj-finance',
    exDate: '2025-06-16',
    kind: 'split',
    priceFactor: 1 / 2,
    note: 'One share of 2 rupees became two of 1 rupee.',
    sourceRef: 'NSE, corporate actions of June 2025',
  },
  {
    series: 'reliance',
    exDate: '2023-07-20',
    kind: 'demerger',
    // First price without the financial services business over the last close with it.
    priceFactor: 2580 / 2841.85,
    note: 'The financial services became a company of their own (Jio Financial Services).',
    sourceRef: 'NSE, close of 19 July 2023 (2841.85) and special pre-open session of 20 July 2023 (2580.00)',
  },
  {
    series: 'reliance',
    exDate: '2024-10-28',
    kind: 'bonus',
    priceFactor: 1 / 2,
    note: 'One bonus share for each one.',
    sourceRef: 'NSE, corporate actions of October 2024',
  },
  {
    series: 'tata-steel',
    exDate: '2022-07-28',
    kind: 'split',
    priceFactor: 1 / 10,
    note: 'One share of 10 rupees became ten of 1 rupee.',
    sourceRef: 'NSE, corporate actions of July 2022',
  },
]

/** The actions of a series, oldest first. */
export function corporateActionsOf(series: string): readonly CorporateAction[] {
  return corporateActions.filter((action) => action.series === series).toSorted((one, other) => one.exDate.localeCompare(other.exDate))
}
