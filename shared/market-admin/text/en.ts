// Texts of the admin page Market Data.
import { texts } from '#shared/text/texts.ts'

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

const sessionClassNames = {
  'nse-equity': 'NSE shares',
  'nse-index': 'NSE indices',
  'bse-index': 'BSE indices',
  fx: 'Currencies',
  metals: 'Metals',
  crypto: 'Crypto',
  cme: 'CME futures of indices',
  comex: 'COMEX futures of metals',
}

/** Session classes with the same calendar share its name. */
const calendarNames = {
  'nse-equity': 'NSE',
  'nse-index': 'NSE',
  'bse-index': 'BSE',
  fx: 'Currencies',
  metals: 'Metals',
  crypto: 'Crypto',
  cme: 'CME',
  comex: 'COMEX',
}

const hubPlaces = {
  here: 'This process',
  standby: 'Standby',
  elsewhere: 'Elsewhere',
  silent: 'Not responding',
}

/** Consequence for the rest of the page. */
const hubNotes = {
  here: null,
  standby: 'Another process makes the prices. The sources below are as the settings of this process have them.',
  elsewhere: 'Another process makes the prices. The sources below are as the settings of this process have them.',
  silent: 'Live prices are paused. Start the hub or check its log.',
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

const candleIssues = {
  'not-a-number': 'Not a number',
  'not-positive': 'A price of zero or less',
  'out-of-order': 'Open or close outside low and high',
  'negative-volume': 'A volume below zero',
  'odd-stamp': 'A time between two candles',
  'in-the-future': 'A time in the future',
  jump: 'A jump that no other price confirms',
} as const

const findingKinds = {
  hole: 'Missing candles',
  contradiction: 'Differs from the smaller candles',
  'adjusted-rows': 'Stored adjusted before a corporate action',
  'unexplained-jump': 'Price jump without a corporate action',
}

const licenceWords = {
  licensed: (_delayMinutes: number) => 'licensed',
  delayed: (delayMinutes: number) => `licensed, ${delayMinutes} min late`,
  'edu-30d': (delayMinutes: number) => `education, ${days(Math.round(delayMinutes / 1_440))} late`,
  refused: (_delayMinutes: number) => 'no licence',
}

export interface Licence {
  readonly holder: string
  readonly mode: keyof typeof licenceWords | 'open'
  readonly reference: string | null
  readonly delayMinutes: number
}

export const adminMarketText = texts('adminMarket', {
  marketData: 'Market Data',
  intro: 'Where prices come from, under whose permission, and how they are now.',
  refresh: 'Refresh',
  at: (moment: string) => `As of ${moment}`,

  facts: 'This process',
  liveSockets: 'Live connections here',
  hub: 'Market data hub',
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

  sources: 'Sources',
  sourceColumns: { source: 'Source', state: 'State', details: 'Licences, and what it lacks' },
  sourceStates: {
    'in-use': 'in use',
    ready: 'answers',
    untested: 'not asked yet',
    failing: 'does not work',
    generated: 'generated prices',
    'not-used': 'not used',
  },
  othersNotUsed: (titles: string) => `Not used: ${titles}`,
  generated: 'generated prices, no market data',
  shows: (proxy: string) => `shows ${proxy}`,
  issue: {
    'not-switched-on': () => 'not switched on',
    'missing-setting': (missing: readonly string[]) => `${missing.join(' and ')} not set`,
    'needs-licence': (_missing: readonly string[], licences: readonly Licence[]) =>
      `needs a licence of ${licences
        .filter(({ mode }) => mode === 'refused')
        .map(({ holder }) => holders[holder] ?? holder)
        .join(' and ')}`,
    'no-symbol': () => 'no symbol today',
  },
  /** A licence by its mode, for example 'NSE: licensed, 15 min late (NSE/2026/17)'. */
  licence: ({ holder, mode, reference, delayMinutes }: Licence): string => {
    if (mode === 'open') return 'open to all users'
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
  rejectedRows: 'Rejected rows',
  rejectedRowsHint:
    'Prices that sources sent and that cannot be true. They are left out and requested again once a day; after three equal answers they count as missing. Left out counts live messages, and for users’ own brokers rows of history too.',
  rejectedColumns: {
    series: 'Series',
    source: 'Source',
    waiting: 'Waiting',
    settled: 'Missing',
    leftOut: 'Left out',
    issue: 'Last problem',
    at: 'Last seen',
  },
  ownBroker: (source: string) => `${source} (own brokers)`,
  candleIssues,
  findingsMore: (count: string) => `${count} more are not listed.`,

  importList: 'Import holiday list',
  importNote: 'Upload or paste the list of NSE or BSE. It takes effect on the next day at the earliest, in every process within seconds.',
  importFile: 'File of the list',
  importText: 'List',
  importExample:
    'exchange: nse, bse\nfrom: 2027-01-01\nuntil: 2027-12-31\nsource: NSE/CMTR/70000 of 11 December 2026\n26-Jan-2027, Tuesday, Republic Day\n2027-10-29, Diwali (Muhurat trading), 18:00-19:00',
  importPreview: 'Preview',
  importNow: 'Import',
  importFailed: 'The list could not be imported.',
  importSpan: (exchange: string, from: string, until: string) => `${exchange}, ${from} to ${until}`,
  importChanges: { added: 'new', changed: 'changed', removed: 'removed', same: 'as before' },
  importClosed: 'closed',
  importOpen: 'usual hours',
  closeForWeek: 'Close for a week',

  calendars: 'Calendars',
  calendarColumns: { calendar: 'Calendar', serves: 'Trading hours of', version: 'Version', until: 'Known until', left: 'Left' },
  calendarNames,
  everyYear: 'Rules for every year',
  daysLeft: days,
  daysEnough: 'More than 90 days',
  noEnd: 'No end',
  calendarEnds: (name: string, daysLeft: number) => `The ${name} calendar runs out in ${days(daysLeft)}. Import next year's holiday list.`,
  calendarEnded: (name: string, date: string) => `The ${name} calendar has no holidays after ${date}. Import next year's holiday list.`,
})
