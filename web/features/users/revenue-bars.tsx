// Monthly revenue as small bars, with the amounts for screen readers.
import { formatMoney, type Currency } from '#shared/base/format-money.ts'

const height = 28
const barWidth = 6
const step = 9

interface RevenueBarsProps {
  /** Oldest first; `month` for example 2026-11. */
  readonly months: readonly { readonly month: string; readonly amount: number }[]
  readonly currency: Currency
}

/** The last bar, the current month, has the accent colour. */
export function RevenueBars({ months, currency }: RevenueBarsProps) {
  const heights = barHeights(
    months.map(({ amount }) => amount),
    height,
  )
  const label = months.map(({ month, amount }) => `${month} ${formatMoney(amount, currency)}`).join(', ')
  const width = Math.max(1, months.length * step - (step - barWidth))
  return (
    <svg role="img" aria-label={label} width={width} height={height + 1} className="shrink-0">
      {months.map(({ month, amount }, index) => {
        const barHeight = heights[index] ?? 0
        return (
          <g key={month}>
            <title>{`${month}: ${formatMoney(amount, currency)}`}</title>
            <rect x={index * step} y="0" width={barWidth} height={height + 1} className="fill-transparent" />
            <rect x={index * step} y={height} width={barWidth} height="1" className="fill-line-strong" />
            <rect
              x={index * step}
              y={height - barHeight}
              width={barWidth}
              height={barHeight}
              className={index === months.length - 1 ? 'fill-accent' : 'fill-text-3'}
            />
          </g>
        )
      })}
    </svg>
  )
}

/** Heights in the unit of `heightMax`; any amount above zero gets at least one unit. */
export function barHeights(amounts: readonly number[], heightMax: number): readonly number[] {
  const most = Math.max(0, ...amounts)
  return amounts.map((amount) => (amount <= 0 || most === 0 ? 0 : Math.max(1, Math.round((amount / most) * heightMax))))
}
