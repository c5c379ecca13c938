// Key figures of the answering process's market data.
import type { MarketOverview } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { FactGrid, type Fact } from '#web/ui/fact-grid.tsx'

export function MarketFacts({ market, isBusy }: { readonly market: MarketOverview; readonly isBusy: boolean }) {
  const { process, series } = market
  const inView = series.filter(({ condition }) => condition !== null)
  const note = text.hubNotes[process.hub]
  const stale = inView.filter(({ condition }) => condition?.isStale === true).length
  const facts: readonly Fact[] = [
    { name: text.liveSockets, value: formatNumber(process.liveSockets, 0, 'en-IN') },
    { name: text.hub, value: text.hubPlaces[process.hub], isWrong: process.hub === 'silent' },
    { name: text.inView, value: text.inViewOf(inView.length, series.length) },
    { name: text.stale, value: formatNumber(stale, 0, 'en-IN'), isWrong: stale > 0 },
  ]
  return (
    <section aria-label={text.facts} aria-busy={isBusy}>
      <FactGrid facts={facts} columns={4} />
      {note !== null && <p className="mt-2 text-12 text-text-2">{note}</p>}
    </section>
  )
}
