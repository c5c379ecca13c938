// Texts of the studies.
import { texts } from '#shared/text/texts.ts'

interface StudyText {
  readonly name: string
  /** For narrow layouts; default: the name. */
  readonly shortName?: string
  readonly explanation: string
}

const byStudy = <Id extends string>(texts: Readonly<Record<Id, StudyText>>) => texts

export const studyText = texts(
  'studies',
  byStudy({
    blockPressure: {
      name: 'Block Pressure',
      explanation:
        'Where candles close within their range, weighted by volume: above 0 buyers push, below 0 sellers. Our own definition, close to Chaikin Money Flow.',
    },
    volumeDelta: { name: 'Volume Delta', explanation: 'Volume bought minus volume sold within each candle.' },
    zigZag: {
      name: 'Zig Zag',
      explanation: 'Joins the larger swings and leaves out the noise. It repaints: its last leg can still move.',
    },
    pivotpoint: { name: 'Pivot Points', explanation: 'Support and resistance levels worked out from the previous period.' },
    renkoSRvolume: {
      name: 'Renko SR Volume',
      explanation: 'Prices where Renko bricks turned, the strongest by the volume of the swing that ended there. Our own definition.',
    },
    pricePercentageShadedCandel: {
      name: 'Price % Shaded Candles',
      explanation: 'The further a candle went from open to close, compared with recent candles, the stronger its colour.',
    },
    sma: { name: 'Simple Moving Average', shortName: 'SMA', explanation: 'The mean of the last prices, all with the same weight.' },
    ema: { name: 'Exponential Moving Average', shortName: 'EMA', explanation: 'A mean of prices that gives more weight to recent ones.' },
    rsi: { name: 'Relative Strength Index', shortName: 'RSI', explanation: 'How much of the recent movement went up, from 0 to 100.' },
    macd: { name: 'MACD', explanation: 'The distance between a fast and a slow average, beside an average of that distance.' },
    bollinger: {
      name: 'Bollinger Bands',
      shortName: 'Bollinger',
      explanation: 'A moving average with a band as wide as prices have scattered around it.',
    },
    vwap: { name: 'VWAP', explanation: 'The average price of the session, weighted by volume.' },
    atr: { name: 'Average True Range', shortName: 'ATR', explanation: 'How far the price usually moves within one candle, gaps included.' },
    supertrend: { name: 'Supertrend', explanation: 'A trailing line at a distance of average ranges that changes side with the trend.' },
  }),
)

export const provenanceText = texts('studyProvenance', {
  prices: 'From the prices of the candles.',
  volume: 'From the volume that the market reports.',
  aggressor: 'From exchange trade data (aggressor side).',
  'aggressor-demo': 'From generated trades (DEMO).',
  intrabar: 'An estimate from shorter candles: rising ones count as bought, falling ones as sold.',
  'bar-shape': 'A rough estimate from where each candle closed within its range.',
  'official-periods': 'From the daily candles of the previous period.',
  'no-volume': 'No volume for this instrument.',
  'no-volume-equal-weight': 'No volume for this instrument: every candle counts the same.',
  'no-volume-true-range': 'No volume for this instrument: the range of the candles takes its place.',
  'no-periods': 'The trading sessions of this instrument are not known.',
})

export const provenanceShort: Readonly<Record<string, string | undefined>> = texts('studyProvenanceShort', {
  aggressor: 'Aggressor',
  'aggressor-demo': 'Generated (DEMO)',
  intrabar: 'Intrabar',
  'bar-shape': 'Bar shape',
})

export const inputText = texts('studyInputs', {
  length: 'Length',
  source: 'Source',
  sources: { close: 'Close', open: 'Open', high: 'High', low: 'Low' },
  fastLength: 'Fast length',
  slowLength: 'Slow length',
  signalLength: 'Signal length',
  deviations: 'Standard deviations',
  multiplier: 'Multiplier',
  anchor: 'Reset period (Anchor)',
  anchors: { day: 'Session', week: 'Week', month: 'Month' },
  deviationPercent: 'Price deviation for a reversal, %',
  legs: 'Pivot legs',
  pivotType: 'Type',
  pivotTypes: {
    traditional: 'Traditional',
    fibonacci: 'Fibonacci',
    woodie: 'Woodie',
    classic: 'Classic',
    dm: 'DM',
    camarilla: 'Camarilla',
  },
  pivotTimeframe: 'Pivots timeframe',
  pivotTimeframes: { auto: 'Auto', day: 'Daily', week: 'Weekly', month: 'Monthly' },
  pivotsBack: 'Number of pivots back',
  isDailyBased: 'Use daily-based values',
  shadeWindow: 'Candles to compare with',
  brick: 'Brick size, 0 = automatic',
  brickLength: 'ATR length of the automatic brick',
  levelCount: 'Levels to keep',
})

export const plotText = texts('studyPlots', {
  sma: 'SMA',
  ema: 'EMA',
  rsi: 'RSI',
  macd: 'MACD',
  signal: 'Signal',
  histogram: 'Histogram',
  middle: 'Middle',
  upper: 'Upper',
  lower: 'Lower',
  vwap: 'VWAP',
  atr: 'ATR',
  supertrend: 'Supertrend',
  pressure: 'Pressure',
  blocks: 'Buyer share (of 10)',
  delta: 'Delta',
  shade: 'Change from open to close',
  pointLabels: ['Price', 'Volume of the leg', 'Change', 'Change, %'],
  resistance: 'R',
  support: 'S',
})
