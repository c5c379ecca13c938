// Usable sources of a series in order of preference, then the names of the others: the table of the sources has their reasons.
import type { MarketSeries, MarketSource } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import { sourceStateOf } from './group-sources.ts'
import { SourceDot, SourceStateText } from './source-state-text.tsx'

export function SourceList({ series }: { readonly series: MarketSeries }) {
  const shown = series.condition?.label?.source
  const usable = series.sources.filter(({ issues }) => issues.length === 0)
  const others = series.sources.filter(({ issues }) => issues.length > 0)
  return (
    <ol className="grid gap-1 whitespace-normal md:py-1.5">
      {usable.map((source) => {
        const state = sourceStateOf(source, shown)
        return (
          <li key={source.source} className="flex min-w-0 items-baseline gap-2">
            <SourceDot state={state} />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{source.title}</span> <SourceStateText state={state} />
              <span className="text-text-2">{detailsOf(source)}</span>
            </span>
          </li>
        )
      })}
      {others.length > 0 && (
        <li className="text-text-3 [overflow-wrap:anywhere]">{text.othersNotUsed(others.map(({ title }) => title).join(', '))}</li>
      )}
    </ol>
  )
}

function detailsOf({ source, symbol, proxy }: MarketSource): string {
  const parts = [...(symbol === null || source === 'demo' ? [] : [symbol]), ...(proxy === null ? [] : [text.shows(proxy)])]
  return parts.length === 0 ? '' : `: ${parts.join(' · ')}`
}
