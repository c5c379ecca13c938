// Sources of a series in order of preference: state, licence and issues.
import type { MarketSeries, MarketSource } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'

const states = {
  inUse: { word: text.inUse, dot: 'bg-ok', className: 'text-ok' },
  ready: { word: text.ready, dot: 'bg-text-2', className: 'text-text' },
  notUsed: { word: text.notUsed, dot: 'bg-line-strong', className: 'text-text-3' },
} as const

export function SourceList({ series }: { readonly series: MarketSeries }) {
  const shown = series.condition?.label?.source
  return (
    <ol className="grid gap-1 whitespace-normal md:py-1.5">
      {series.sources.map((source) => {
        const state = states[source.issues.length > 0 ? 'notUsed' : shown === source.title ? 'inUse' : 'ready']
        return (
          <li key={source.source} className="flex min-w-0 items-baseline gap-2">
            <span aria-hidden className={`size-1.5 shrink-0 -translate-y-px rounded-full ${state.dot}`} />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{source.title}</span> <span className={state.className}>{state.word}</span>
              <span className="text-text-2">: {detailsOf(source)}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function detailsOf({ source, symbol, proxy, licences, issues, missing }: MarketSource): string {
  const permissions = source === 'demo' ? [text.generated] : licences.filter(({ mode }) => mode !== 'refused').map(text.licence)
  return [
    ...issues.map((issue) => text.issue[issue](missing, licences)),
    ...permissions,
    ...(symbol === null ? [] : [symbol]),
    ...(proxy === null ? [] : [text.shows(proxy)]),
  ].join(' · ')
}
