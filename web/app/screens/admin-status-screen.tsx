// Admin page Status.
import { systemStatusText as text } from '#shared/system-status/text/en.ts'
import { StatusPanel } from '#web/features/system-status/status-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminStatusScreen() {
  useTitle(text.status)
  return <StatusPanel />
}
