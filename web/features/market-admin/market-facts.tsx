// Key figures of the answering process's market data.
import type { MarketOverview } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import { formatNumber } from '#web/lib/format-number.ts'

export function MarketFacts({ market, isBusy }: { readonly market: MarketOverview; readonly isBusy: boolean }) {
  const { process, series } = market
  const inView = series.filter(({ condition }) => condition !== null)
  const note = text.hubNotes[process.hub]
  const stale = inView.filter(({ condition }) => condition?.isStale === true).length
  const facts: readonly (readonly [name: string, value: string, isWrong?: boolean])[] = [
    [text.liveSockets, formatNumber(process.liveSockets, 0, 'en-IN')],
    [text.hub, text.hubPlaces[process.hub], process.hub === 'silent'],
    [text.inView, text.inViewOf(inView.length, series.length)],
    [text.stale, formatNumber(stale, 0, 'en-IN'), stale > 0],
  ]
  return (
    <section aria-label={text.facts} aria-busy={isBusy}>
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line lg:grid-cols-4">
        {facts.map(([name, value, isWrong]) => (
          <li key={name} className="flex min-h-16 flex-col justify-center bg-surface px-4 py-2">
            <span className="text-12 text-text-2">{name}</span>
            <span className={`text-16 font-semibold tracking-tight tabular-nums ${isWrong === true ? 'text-danger' : ''}`}>{value}</span>
          </li>
        ))}
      </ul>
      {note !== null && <p className="mt-2 text-12 text-text-2">{note}</p>}
    </section>
  )
}
