// Cards with sample figures, labelled as such.
import { landingText } from '#shared/landing/text/en.ts'
import { formatChange, formatNumber } from '#shared/base/format-number.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { demoCandles, demoMarkets } from './demo-markets.ts'
import { generateCandles, type DemoCandle } from './generate-candles.ts'

const count = 40
/** The same candles as in the demo chart: one market has one set of figures on the page. */
const [euro] = demoMarkets

interface Sample {
  readonly label: string
  readonly timeframe: string
  readonly decimals: number
  readonly locale: 'en-IN' | 'en-US'
  readonly candles: readonly DemoCandle[]
}

const samples: readonly Sample[] = [
  {
    label: 'NIFTY',
    timeframe: '15m',
    decimals: 2,
    locale: 'en-IN',
    candles: generateCandles({ seed: 28, count, end: 24312.4, move: 0.0009 }),
  },
  { ...euro, timeframe: '5m', candles: demoCandles(euro, 5).slice(-count) },
  {
    label: 'XAU/USD',
    timeframe: '1h',
    decimals: 2,
    locale: 'en-US',
    candles: generateCandles({ seed: 52, count, end: 2648.15, move: 0.0014 }),
  },
  {
    label: 'TATA STEEL',
    timeframe: '1D',
    decimals: 2,
    locale: 'en-IN',
    candles: generateCandles({ seed: 40, count, end: 152.35, move: 0.005 }),
  },
]

/** Four cards; each includes the word Sample. */
export function SampleCards() {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      {samples.map((sample) => (
        <Card key={sample.label} {...sample} />
      ))}
    </ul>
  )
}

function Card({ label, timeframe, decimals, locale, candles }: Sample) {
  const end = candles.at(-1)?.close ?? 0
  const change = (end / (candles[0]?.open ?? end) - 1) * 100
  return (
    <li className="rounded-panel border border-line bg-surface p-4">
      <p className="flex items-baseline gap-2">
        <span className="text-14 font-semibold">{label}</span>
        <span className="text-12 text-text-3">{timeframe}</span>
        <span className="ml-auto rounded-control border border-line-strong px-1.5 py-px text-11 font-medium text-text-2">
          {landingText.sample}
        </span>
      </p>
      <Line closes={candles.map(({ close }) => close)} isUp={change >= 0} />
      <p className="flex items-baseline justify-between gap-2">
        <NumericText className="text-20 font-semibold tracking-tight">{formatNumber(end, decimals, locale)}</NumericText>
        <NumericText className={`text-13 font-medium ${change >= 0 ? 'text-up' : 'text-down'}`}>{formatChange(change)}</NumericText>
      </p>
    </li>
  )
}

function Line({ closes, isUp }: { readonly closes: readonly number[]; readonly isUp: boolean }) {
  const low = Math.min(...closes)
  const high = Math.max(...closes)
  const points = closes.map((close, index) => `${(index / (count - 1)) * 200},${(54 - ((close - low) / (high - low)) * 48).toFixed(1)}`)
  return (
    <svg viewBox="0 0 200 60" preserveAspectRatio="none" aria-hidden fill="none" className="my-4 block h-16 w-full">
      <polyline
        points={points.join(' ')}
        className={isUp ? 'stroke-up' : 'stroke-down'}
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
