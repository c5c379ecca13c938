// Small candlestick chart used by the error illustrations.
import type { ReactNode } from 'react'

/** Open, high, low and close in image units, upwards. */
const candles = [
  [52, 70, 46, 64],
  [64, 74, 58, 60],
  [60, 66, 42, 48],
  [48, 58, 40, 54],
  [54, 82, 50, 78],
  [78, 90, 72, 86],
  [86, 92, 66, 70],
  [70, 84, 64, 80],
  [80, 104, 76, 100],
  [100, 108, 84, 88],
  [88, 96, 70, 74],
  [74, 90, 70, 86],
  [86, 112, 82, 108],
  [108, 124, 100, 120],
  [120, 126, 104, 110],
  [110, 132, 106, 128],
] as const

const stepX = 20
const leftX = 28
const floorY = 176
export const candleWidth = 10

/** The left edge of candle n. */
export function candleX(n: number): number {
  return leftX + n * stepX
}

/** Candles from `from` to `to` (exclusive); rising ones hollow, falling ones filled, as in the charts. */
export function CandleRow({ from, to }: { readonly from: number; readonly to: number }) {
  return candles.slice(from, to).map(([open, high, low, close], index) => {
    const x = candleX(from + index)
    const middle = x + candleWidth / 2
    const isUp = close > open
    const top = floorY - Math.max(open, close)
    const height = Math.abs(close - open)
    return (
      <g key={x} className={isUp ? 'stroke-up' : 'stroke-down'} strokeWidth="1.5">
        <path d={`M${middle} ${floorY - high}V${top}M${middle} ${top + height}V${floorY - low}`} />
        <rect x={x} y={top} width={candleWidth} height={height} className={isUp ? 'fill-canvas' : 'fill-down'} />
      </g>
    )
  })
}

/** Frame and grid of an illustration; 368 units wide, 200 high. */
export function PictureFrame({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <svg viewBox="0 0 368 200" role="img" aria-label={label} fill="none" className="w-full max-w-lg">
      <g className="stroke-line" strokeWidth="1">
        <path d="M8 40.5H360M8 80.5H360M8 120.5H360M8 160.5H360" strokeDasharray="1 5" strokeLinecap="round" />
        <path d="M8 191.5H360" />
      </g>
      {children}
    </svg>
  )
}
