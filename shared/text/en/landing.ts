// Texts of the landing page; the claims are the operator's, the sample figures are invented.
import { texts } from '../texts.ts'

export const landingText = texts('landing', {
  signIn: 'Sign in',
  start: 'Start Analysis',
  headline: 'See the market. Count the candle.',
  lead: 'Live charts for forex, crypto, futures and Indian stocks on one calm screen, with the seconds left in every candle always in sight.',
  leadNote: 'The NIFTY chart is free. No card needed.',
  demoTitle: 'The chart screen',
  illustrative: 'Illustrative data',
  nextCandle: 'Next candle',
  liveClaims: ['charts', 'analysts', 'assets'],
  liveTimeframes: 'timeframes',
  featuresTitle: 'Built for the hours you sit in front of it',
  features: {
    countdown: [
      'A countdown you can trade by',
      'The time to the next candle ticks in the header, for every timeframe from one minute to one day.',
    ],
    markets: ['Four markets, one menu', 'Change the group and the first instrument is already on the screen.'],
    timeframes: ['Nine timeframes', 'One click away, and kept when you change the instrument.'],
    indicators: ['Six indicators', 'Premium: switch each on or off. Changes are saved automatically.'],
    calm: ['The chart is the page', 'A thin dark bar, hairlines instead of boxes, and figures that never jump. On the phone as well.'],
    payment: ['UPI or USDT', 'Scan the code, pay, send the reference. Nothing renews behind your back.'],
  },
  pricesTitle: 'Premium',
  pricesNote: 'Every chart and six indicators. You pay once for the time you choose; nothing renews by itself.',
  priceRegular: 'UPI',
  priceCrypto: 'USDT',
  /** For example ₹999 for 1 month. */
  price: (amount: string, time: string) => `${amount} for ${time}`,
  priceNone: 'Not on sale at present',
  priceUnknown: 'Shown after you sign in',
  samplesTitle: 'What a morning can look like',
  samplesNote: 'Made-up figures, to show how a chart reads here.',
  sample: 'Sample',
  samplePrices: 'Sample prices',
  pictureAlts: {
    chart: 'A candlestick chart with moving average, Bollinger bands and pivot points',
    screen: 'The chart screen on a computer: groups, instruments, timeframes, countdown and chart',
    phone: 'The chart screen on a phone',
    studies: 'A candlestick chart above volume delta, RSI and MACD',
  },
  closing: 'The next candle is already running.',
  footer: [
    ['Product', ['Charts', 'Premium', 'Indicators']],
    ['Company', ['About', 'Careers', 'Press']],
    ['Legal', ['Terms', 'Privacy', 'Refunds']],
  ],
  support: 'Support',
  risk: 'Charts are for analysis and are no investment advice. Trading carries the risk of loss.',
  years: '2016–2024',
})
