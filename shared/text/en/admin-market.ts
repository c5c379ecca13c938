// Labels and sentences of the operator's view of the market data.
import type { HubPlace, MarketSource } from '../../market/admin-contract.ts'
import type { FindingKind } from '../../market/verify-report.ts'
import type { SessionClass } from '../../market/sessions/session-class.ts'

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

const sessionClassNames: Readonly<Record<SessionClass, string>> = {
  'nse-equity': 'NSE shares',
  'nse-index': 'NSE indices',
  'bse-index': 'BSE indices',
  fx: 'Currencies',
  metals: 'Metals',
  crypto: 'Crypto',
  cme: 'CME futures of indices',
  comex: 'COMEX futures of metals',
}

/** Session classes that share a calendar share its name. */
const calendarNames: Readonly<Record<SessionClass, string>> = {
  'nse-equity': 'NSE',
  'nse-index': 'NSE',
  'bse-index': 'BSE',
  fx: 'Currencies',
  metals: 'Metals',
  crypto: 'Crypto',
  cme: 'CME',
  comex: 'COMEX',
}

const hubPlaces: Readonly<Record<HubPlace, string>> = {
  here: 'In this process',
  standby: 'Elsewhere, stands by',
  elsewhere: 'Elsewhere',
  silent: 'Nobody answers',
}

/** What follows from it for the rest of the page. */
const hubNotes: Readonly<Record<HubPlace, string | null>> = {
  here: null,
  standby: 'Another process makes the prices. The sources below are as the settings of this process have them.',
  elsewhere: 'Another process makes the prices. The sources below are as the settings of this process have them.',
  silent: 'The process that makes the prices does not answer, so no price moves. Start it, or look into its log.',
}

const holders: Readonly<Record<string, string>> = {
  public: 'Public',
  nse: 'NSE',
  bse: 'BSE',
  cme: 'CME',
  'twelve-data': 'Twelve Data',
  yahoo: 'Yahoo',
  kite: 'Zerodha',
  openalgo: 'OpenAlgo',
}

const findingKinds: Readonly<Record<FindingKind, string>> = {
  hole: 'Missing candles',
  contradiction: 'Differs from the smaller candles',
  'adjusted-rows': 'Stored adjusted before a corporate action',
  'unexplained-jump': 'Price jump without a corporate action',
}

const licenceWords: Readonly<Record<Exclude<MarketSource['licences'][number]['mode'], 'open'>, (delayMinutes: number) => string>> = {
  licensed: () => 'licensed',
  delayed: (delayMinutes) => `licensed, ${delayMinutes} min late`,
  'edu-30d': (delayMinutes) => `education, ${days(Math.round(delayMinutes / 1_440))} late`,
  refused: () => 'no licence',
}

export const adminMarketText = {
  marketData: 'Market Data',
  intro: 'Where prices come from, under whose permission, and how they are now.',
  refresh: 'Refresh',
  at: (moment: string) => `As of ${moment}`,

  facts: 'This process',
  liveSockets: 'Live connections here',
  hub: 'Prices are made',
  hubPlaces,
  inView: 'Series in view here',
  inViewOf: (count: number, total: number) => `${count} of ${total}`,
  stale: 'Stale',
  hubNotes,

  series: 'Series',
  seriesColumns: { series: 'Series', hours: 'Market', now: 'Now', sources: 'Sources, in the order in which they are tried' },
  sessionClassNames,
  open: 'Open',
  closed: 'Closed',
  opensAt: (moment: string) => `opens ${moment}`,
  opensUnknown: 'next opening unknown',
  notInView: 'Not in view here',

  inUse: 'in use',
  ready: 'ready',
  notUsed: 'not used',
  generated: 'generated prices, no market data',
  shows: (proxy: string) => `shows ${proxy}`,
  obstacle: {
    'not-switched-on': () => 'not switched on',
    'missing-setting': (missing: readonly string[]) => `${missing.join(' and ')} not set`,
    'needs-licence': (_missing: readonly string[], licences: MarketSource['licences']) =>
      `needs a licence of ${licences
        .filter(({ mode }) => mode === 'refused')
        .map(({ holder }) => holders[holder] ?? holder)
        .join(' and ')}`,
    'no-symbol': () => 'no symbol today',
  },
  /** A licence by its mode, such as 'NSE: licensed, 15 min late (NSE/2026/17)'. */
  licence: ({ holder, mode, reference, delayMinutes }: MarketSource['licences'][number]): string => {
    if (mode === 'open') return 'open to everybody'
    const by = reference === null ? '' : ` (${reference})`
    return `${holders[holder] ?? holder}: ${licenceWords[mode](delayMinutes)}${by}`
  },

  verification: 'Stored candles',
  verificationNever: 'Not checked yet. Run npx tezi verify-candles on the machine of the database.',
  verifiedAt: (moment: string, series: string, candles: string) => `Checked ${moment}: ${series} series, ${candles} candles.`,
  verifiedClean: 'No problems left.',
  verifiedLeft: (count: string) => `${count} left. Run npx tezi verify-candles to check and repair again.`,
  findingKinds,
  findingCounts: { found: 'found', repaired: 'repaired', left: 'left' },
  findingColumns: { series: 'Series', source: 'Source', step: 'Candles', kind: 'Problem', from: 'From', to: 'To' },
  findingsMore: (count: string) => `${count} more are not listed.`,

  calendars: 'Calendars',
  calendarColumns: { calendar: 'Calendar', serves: 'Trading hours of', version: 'Version', until: 'Known until', left: 'Left' },
  calendarNames,
  everyYear: 'Rules for every year',
  daysLeft: days,
  daysEnough: 'More than 90 days',
  noEnd: 'No end',
  calendarEnds: (name: string, daysLeft: number) => `The ${name} calendar runs out in ${days(daysLeft)}. Import next year's holiday list.`,
  calendarEnded: (name: string, date: string) => `The ${name} calendar has no holidays after ${date}. Import next year's holiday list.`,
} as const
