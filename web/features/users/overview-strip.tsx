// Key figures: users, premium, pending, expiring, and monthly revenue in each currency.
import { useQuery } from '@tanstack/react-query'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import type { Overview } from '#shared/users/contract.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { formatMoney, type Currency } from '#shared/base/format-money.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { overviewQuery } from './api.ts'

const strip =
  'grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-4 xl:grid-cols-[repeat(4,minmax(0,1fr))_repeat(2,minmax(0,1.9fr))]'
const wide = 'col-span-2 xl:col-span-1'

/** Renders loading, error and data states; without users all figures are zero. */
export function OverviewStrip() {
  const query = useQuery(overviewQuery)
  if (query.isLoadingError) return <FailureNotice query={query} />
  const { data } = query
  const figures: readonly [string, number | undefined][] = [
    [text.figureUsers, data?.users],
    [text.figurePremium, data?.premium],
    [text.figurePending, data?.pending],
    [text.figureExpiring, data?.expiringIn7Days],
  ]
  return (
    <section aria-label={text.overview} aria-busy={query.isFetching}>
      <ul className={strip}>
        {figures.map(([name, value]) => (
          <li key={name} className="flex h-16 flex-col justify-center bg-surface px-4">
            <span className="text-12 leading-tight text-pretty text-text-2">{name}</span>
            <span className="text-20 font-semibold tracking-tight tabular-nums">
              {value === undefined ? <Waiting /> : formatNumber(value, 0, 'en-IN')}
            </span>
          </li>
        ))}
        <Revenue currency="INR" revenue={data?.revenue} />
        <Revenue currency="USD" revenue={data?.revenue} />
      </ul>
    </section>
  )
}

function Revenue({ currency, revenue }: { readonly currency: Currency; readonly revenue: Overview['revenue'] | undefined }) {
  const months = revenue?.map(({ month, inr, usd }) => ({ month, amount: currency === 'INR' ? inr : usd }))
  return (
    <li className={`flex h-16 items-center justify-between gap-3 bg-surface px-4 ${wide}`}>
      <div className="min-w-0">
        <span className="block text-12 leading-tight text-pretty text-text-2">{text.revenue(currency === 'INR' ? '₹' : '$')}</span>
        <span className="flex items-baseline gap-1.5 whitespace-nowrap tabular-nums">
          {months === undefined ? (
            <Waiting />
          ) : (
            <>
              <span className="text-16 font-semibold">{formatMoney(months.at(-1)?.amount ?? 0, currency)}</span>
              <span className="text-11 text-text-3 xl:max-2xl:sr-only">{text.revenueThisMonth}</span>
            </>
          )}
        </span>
      </div>
      {months !== undefined && <RevenueBars months={months} currency={currency} />}
    </li>
  )
}

function Waiting() {
  return (
    <>
      <span aria-hidden className="my-1.5 block h-3 w-16 animate-breathe rounded-control bg-hover" />
      <span className="sr-only">{text.loading}</span>
    </>
  )
}

const height = 28
const barWidth = 6
const step = 9

interface RevenueBarsProps {
  /** Oldest first; `month` for example 2026-11. */
  readonly months: readonly { readonly month: string; readonly amount: number }[]
  readonly currency: Currency
}

/** The last bar, the current month, has the accent colour. */
function RevenueBars({ months, currency }: RevenueBarsProps) {
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
