// Admin page for payment plans.
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { PlansPanel } from '#web/features/plans/plans-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminPlansScreen() {
  useTitle(text.paymentManagement)
  return <PlansPanel />
}
