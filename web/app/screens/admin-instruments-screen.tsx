// Admin page Instruments.
import { adminInstrumentsText as text } from '#shared/instruments/text/en-admin.ts'
import { InstrumentsPanel } from '#web/features/market-admin/instruments/instruments-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminInstrumentsScreen() {
  useTitle(text.instruments)
  return <InstrumentsPanel />
}
