// Admin page for payment plans.
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { PlansPanel } from '#web/features/plans/plans-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminPlansScreen() {
  useTitle(text.paymentManagement)
  return <PlansPanel />
}
