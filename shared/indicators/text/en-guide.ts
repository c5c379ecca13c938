// Descriptions of the studies and their data sources, shown in their settings.
import { texts } from '#shared/text/texts.ts'

interface StudyGuide {
  readonly shows: string
  readonly data: string
}

const prices = 'Prices only: open, high, low and close of the candles on the chart. Volume plays no part.'

export const studyGuide = texts('studyGuide', {
  blockPressure: {
    shows:
      'Where candles close within their range: near the high counts as buying, near the low as selling. The bars run from \u2212100 to 100 and the ten blocks show the share of the buyers now. Beyond 40 one side leads, beyond 80 it rules. It is our own definition, close to Chaikin Money Flow.',
    data: 'The range of each candle, weighted by the volume that the market reports. Where an instrument has no volume, such as an index, every candle counts the same, and the legend says so.',
  },
  volumeDelta: {
    shows:
      'Volume bought minus volume sold within each candle. The candle in the pane opens at 0 and closes at the final difference; its wicks show how far each side got on the way.',
    data: 'Aggressor: trades are counted where the exchange reports their aggressor. Intrabar: else shorter candles inside each candle are, rising ones as bought and falling ones as sold (1-minute candles within the day, 5-minute ones for a day, hourly ones above). Bar shape: where there are none, the volume is divided by where the candle closed within its range, a rough estimate. The legend names the source of each candle.',
  },
  zigZag: {
    shows:
      'Joins the larger swings and leaves out the noise: a turn counts once the price has come back by the deviation above. Shorter candles and calmer markets get a smaller one by default. Each corner carries its price, the change in percent and the volume of the leg. The dashed leg is not confirmed: it repaints while the price goes on.',
    data: 'Highs and lows of the candles on the chart. The volume at the corners is what the market reports, and is left out where there is none.',
  },
  pivotpoint: {
    shows:
      'Support (S) and resistance (R) levels around a pivot (P), worked out from high, low and close of the period before. Many traders watch the same levels, since the formulas are public: choose yours under Type.',
    data: 'With daily-based values, the daily candles of the previous day, week or month, whose close can differ from the last trade; without them, or where they are missing, the candles on the chart. Automatic takes the day up to 15-minute candles, the week below a day, and the month above.',
  },
  renkoSRvolume: {
    shows:
      'Prices at which Renko bricks turned: a fall that ended leaves support, a rise that ended leaves resistance. The thicker the line, the more volume the swing had that ended there; a level goes once the price has closed beyond it by a brick. It is our own definition.',
    data: 'Closes of the last 1,500 closed candles make the bricks. The automatic brick is the average true range before the current day (for daily candles and longer, before the current month), so it is the same on every load. The volume is what the market reports. Where an instrument has none, the range of the candles takes its place, and the legend says so.',
  },
  pricePercentageShadedCandel: {
    shows:
      'The further a candle went from open to close, compared with recent candles, the stronger its colour. Pale candles moved little, full ones belong to the largest moves of late.',
    data: prices,
  },
  sma: {
    shows: 'The mean of the last prices, all with the same weight. The longer, the smoother, and the later it turns.',
    data: prices,
  },
  ema: {
    shows: 'A mean of prices in which recent ones weigh more, so that it turns earlier than a simple average of the same length.',
    data: prices,
  },
  rsi: {
    shows:
      'How much of the recent movement went up, from 0 to 100. Above 70 a market is often called overbought, below 30 oversold; in a strong trend it can stay there for long.',
    data: `${prices} Smoothed as by Wilder.`,
  },
  macd: {
    shows:
      'The distance between a fast and a slow average, beside a signal line that smooths it. The bars are the distance of the two: above 0 the movement gathers pace, below 0 it loses it.',
    data: prices,
  },
  bollinger: {
    shows:
      'A moving average with a band as wide as prices have scattered around it. A narrow band means a calm market; prices touch its edges easily, which alone is no signal.',
    data: prices,
  },
  vwap: {
    shows:
      'The average price of the session, weighted by volume: what a share has cost on average since the open. Large orders are often measured by it.',
    data: 'Typical price of each candle times the volume that the market reports, restarted each session. An instrument without volume, such as an index or a currency pair, has no VWAP, and the legend says so.',
  },
  atr: {
    shows:
      'How far the price usually moves within one candle, gaps included. It says nothing of the direction; many size their stops by it.',
    data: `${prices} Smoothed as by Wilder.`,
  },
  supertrend: {
    shows:
      'A trailing line at a distance of average ranges: below the price in a rise, above it in a fall. A close beyond the line changes its side.',
    data: prices,
  },
} satisfies Readonly<Record<string, StudyGuide>>)
