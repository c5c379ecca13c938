// Admin page Market Data.
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import { MarketPanel } from '#web/features/market-admin/market-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminMarketScreen() {
  useTitle(text.marketData)
  return <MarketPanel />
}
