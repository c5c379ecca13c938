// Admin page Status.
import { systemStatusText as text } from '#shared/text/en/system-status.ts'
import { StatusPanel } from '#web/features/system-status/status-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminStatusScreen() {
  useTitle(text.status)
  return <StatusPanel />
}
