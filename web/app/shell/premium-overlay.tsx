// Loading overlay shown for one second before the subscription dialog.
import { marketText } from '#shared/text/en/market.ts'
import { Spinner } from '#web/ui/spinner.tsx'

export function PremiumOverlay() {
  return (
    <div data-testid="premium-overlay" className="fixed inset-0 z-40 grid place-items-center bg-canvas/75">
      <Spinner className="size-6 text-accent" label={marketText.pleaseWait} />
    </div>
  )
}
