// Texts of the admin page Instruments.
import { texts } from '#shared/text/texts.ts'

export const adminInstrumentsText = texts('adminInstruments', {
  instruments: 'Instruments',
  intro: 'What each chart shows with Automatic at 1m, and from where. Changes take effect within seconds.',
  columns: {
    instrument: 'Instrument',
    symbol: 'Symbol',
    substitutes: 'Substitutes',
    chart: 'Chart',
    source: 'Source now',
    label: 'Label',
    timeframes: 'Timeframes',
    action: 'Action',
  },
  hidden: 'Hidden',
  none: '\u2013',
  supports: { live: 'live', 'end-of-day': 'end of day', none: 'not in the widget' },
  charts: { widget: 'TradingView', native: 'Tezi', none: 'Card with a link' },
  ownFirst: 'Tezi first',
  allTimeframes: 'All',
  onlyTimeframes: (labels: readonly string[]) => labels.join(', '),
  provider: 'TradingView',
  widgetLabel: 'In the browser, not known here',
  edit: 'Edit',
  editOf: (label: string) => `Edit ${label}`,
  title: (label: string) => `Edit ${label}`,
  symbol: 'TradingView symbol',
  widget: 'What the widget shows',
  widgetOptions: { live: 'Live prices', 'end-of-day': 'End of day', none: 'Nothing (refused)' },
  firstChart: 'Chart that comes first',
  firstChartDefault: (name: string) => `Default (${name})`,
  firstCharts: { tradingview: 'TradingView', tezi: 'Tezi' },
  visible: 'Visible in menu and search',
  substitute: (number: number) => `Substitute ${number}`,
  substituteSymbol: (number: number) => `Symbol of substitute ${number}`,
  substituteTitle: (number: number) => `What substitute ${number} is`,
  substituteWidget: (number: number) => `What the widget shows of substitute ${number}`,
  substituteHours: (number: number) => `Trading hours of substitute ${number}`,
  unknownHours: 'Unknown (the candle closes by the clock)',
  add: 'Add substitute',
  remove: (number: number) => `Remove substitute ${number}`,
  reset: 'Product defaults',
  check: 'Check symbols',
  checkNote: 'Changed symbols must load in the preview before you can save.',
  preview: (symbol: string) => `Preview of ${symbol}`,
  results: { waiting: 'not checked', loading: 'checking', ready: 'ready', 'no-data': 'no data', 'no-answer': 'no answer' },
  saveUnchecked: 'Save unchecked',
  save: 'Save',
  saving: 'Saving...',
  saveFailed: 'The instrument could not be saved.',
})

/** Validation messages, shared with the server. */
export const instrumentsText = texts('instruments', {
  symbolInvalid: 'Enter a TradingView symbol such as BSE:SENSEX.',
  titleMissing: 'Enter what the substitute is.',
  titleLong: 'Use at most 60 characters.',
  symbolTwice: 'Each symbol can be used once.',
  freeHidden: 'The free chart cannot be hidden.',
  saved: 'Instrument saved',
  editedMeanwhile: 'This instrument was changed meanwhile. Reload and try again.',
})

/** Sentences that only the server sends: the browser does not load them. */
export const instrumentsServerText = texts('instruments', {
  unknown: 'Not found',
})
