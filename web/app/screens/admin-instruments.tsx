// The instruments, for whoever operates the site.
import { adminInstrumentsText as text } from '#shared/text/en/admin-instruments.ts'
import { InstrumentsPanel } from '#web/features/market/instruments/instruments-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminInstrumentsScreen() {
  useTitle(text.instruments)
  return <InstrumentsPanel />
}
