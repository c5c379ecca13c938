// Candlestick demo of the landing page as SVG, with axis, crosshair and countdown.
import { useMemo, useState, type PointerEvent } from 'react'
import { twoDigits } from '#shared/base/two-digits.ts'
import { formatNumber, formatChange } from '#shared/base/format-number.ts'
import { landingText } from '#shared/landing/text/en.ts'
import { useNow } from '#web/lib/use-now.ts'
import { candlesIn, candleStep, toChartPaths, type ChartArea, type ChartPaths } from './chart-paths.ts'
import { countdownText } from './demo-countdown.ts'
import { demoCandles, type DemoMarket, type DemoTimeframe } from './demo-markets.ts'
import { exponentialAverage, type DemoCandle } from './generate-candles.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'

/** Inner width of the page's column; narrower screens cut off the oldest candles. Constant, because it is rendered at build time. */
const width = 1102
const height = 416
const axisWidth = 76
const axisHeight = 24
const averagePeriod = 21
const labelEvery = 12
/** Minimum distance of an axis label from the last price. */
const labelClear = 18
const lastMinute = 14 * 60 + 30
const area: ChartArea = { width: width - axisWidth, height: height - axisHeight }
const count = candlesIn(area.width)

export interface DemoChartProps {
  readonly market: DemoMarket
  readonly timeframe: DemoTimeframe
}

/** Shows as many of the newest candles as fit. */
export function DemoChart({ market, timeframe }: DemoChartProps) {
  const [hovered, setHovered] = useState<number>()
  const { candles, paths } = useCandles(market, timeframe)
  const last = candles.at(-1)
  const shown = hovered === undefined ? last : (candles[hovered] ?? last)
  const lastY = last === undefined ? 0 : Math.round(paths.yOf(last.close)) + 0.5
  const price = (value: number) => formatNumber(value, market.decimals, market.locale)
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left) / candleStep)
    setHovered(index >= 0 && index < candles.length ? index : undefined)
  }

  return (
    <div className="relative h-104 overflow-hidden">
      {last !== undefined && shown !== undefined && (
        <>
          <DemoLegend market={market} candle={shown} />
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={landingText.chartOf(market.label, timeframe.label)}
            fill="none"
            className="absolute inset-y-0 right-0 cursor-crosshair touch-pan-y text-11 select-none"
            onPointerMove={follow}
            onPointerLeave={() => setHovered(undefined)}
          >
            <Candles paths={paths} />
            <AxisLabels paths={paths} lastY={lastY} price={price} times={timeLabels(timeframe.minutes)} />
            <path d={`M0 ${area.height + 0.5}H${width}M${area.width + 0.5} 0V${area.height}`} className="stroke-line" />
            {hovered !== undefined && (
              <path d={`M${paths.xOf(hovered)} 0V${area.height}`} className="stroke-text-3" strokeDasharray="3 3" />
            )}
            <LastPrice y={lastY} isUp={last.close >= last.open} text={price(last.close)} minutes={timeframe.minutes} />
          </svg>
        </>
      )}
    </div>
  )
}

/** The newest candles that fit, and their shapes. */
function useCandles(market: DemoMarket, timeframe: DemoTimeframe) {
  return useMemo(() => {
    const all = demoCandles(market, timeframe.minutes)
    const candles = all.slice(-count)
    return { candles, paths: toChartPaths(candles, exponentialAverage(all, averagePeriod).slice(-count), area) }
  }, [market, timeframe])
}

function Candles({ paths }: { readonly paths: ChartPaths }) {
  return (
    <>
      <g className="stroke-line" strokeDasharray="1 5">
        {paths.levels.map(({ price, y }) => (
          <path key={price} d={`M0 ${y}H${area.width}`} />
        ))}
      </g>
      <path d={paths.upVolume} className="fill-up" opacity="0.22" />
      <path d={paths.downVolume} className="fill-down" opacity="0.22" />
      <path d={paths.average} className="stroke-accent" strokeWidth="1.5" strokeLinejoin="round" opacity="0.8" />
      <path d={paths.upWicks} className="stroke-up" />
      <path d={paths.downWicks} className="stroke-down" />
      <path d={paths.upBodies} className="fill-canvas stroke-up" />
      <path d={paths.downBodies} className="fill-down stroke-down" />
    </>
  )
}

interface AxisLabelsProps {
  readonly paths: ChartPaths
  /** Where the last price has its own label. */
  readonly lastY: number
  readonly price: (value: number) => string
  readonly times: readonly TimeLabel[]
}

function AxisLabels({ paths, lastY, price, times }: AxisLabelsProps) {
  return (
    <g className="fill-text-3 tabular-nums">
      {paths.levels
        .filter(({ y }) => y < lastY - labelClear || y > lastY + labelClear + 14)
        .map(({ price: level, y }) => (
          <text key={level} x={area.width + 8} y={y + 3.5}>
            {price(level)}
          </text>
        ))}
      {times.map(({ index, text }) => (
        <text key={index} x={paths.xOf(index)} y={area.height + axisHeight - 7} textAnchor="middle">
          {text}
        </text>
      ))}
    </g>
  )
}

interface LastPriceProps {
  readonly y: number
  readonly isUp: boolean
  readonly text: string
  readonly minutes: number
}

/** Separate component, so that only these few shapes re-render every second. */
function LastPrice({ y, isUp, text, minutes }: LastPriceProps) {
  const now = useNow()
  const x = area.width
  return (
    <g className="tabular-nums">
      <path d={`M0 ${y}H${x}`} className={isUp ? 'stroke-up' : 'stroke-down'} strokeDasharray="2 3" />
      <rect x={x + 1} y={y - 10} width={axisWidth - 1} height="34" rx="2" className={isUp ? 'fill-up' : 'fill-down'} />
      <text x={x + 8} y={y + 4} className="fill-canvas font-semibold">
        {text}
      </text>
      <text x={x + 8} y={y + 18} data-countdown={minutes} suppressHydrationWarning className="fill-canvas font-medium">
        {countdownText(minutes, now)}
      </text>
    </g>
  )
}

interface TimeLabel {
  readonly index: number
  readonly text: string
}

function timeLabels(minutes: number): readonly TimeLabel[] {
  const labels: TimeLabel[] = []
  for (let index = count - 4; index > 2; index -= labelEvery) {
    const minute = (((lastMinute - (count - 1 - index) * minutes) % 1440) + 1440) % 1440
    labels.push({ index, text: [Math.floor(minute / 60), minute % 60].map(twoDigits).join(':') })
  }
  return labels
}

interface DemoLegendProps {
  readonly market: DemoMarket
  readonly candle: DemoCandle
}

/** Decorative: the figures are sample data, so they are hidden from screen readers. */
function DemoLegend({ market, candle }: DemoLegendProps) {
  const change = (candle.close / candle.open - 1) * 100
  const parts = [
    [landingText.open, candle.open],
    [landingText.high, candle.high],
    [landingText.low, candle.low],
    [landingText.close, candle.close],
  ] as const
  return (
    <div aria-hidden className="pointer-events-none absolute top-2 left-3 flex flex-wrap items-baseline gap-x-3 text-11 text-text-3">
      {parts.map(([letter, value], index) => (
        <span key={letter} className={index < 3 ? 'max-sm:hidden' : undefined}>
          {letter} <NumericText className="text-text-2">{formatNumber(value, market.decimals, market.locale)}</NumericText>
        </span>
      ))}
      <NumericText className={change >= 0 ? 'text-up' : 'text-down'}>{formatChange(change)}</NumericText>
    </div>
  )
}
