// The Premium Subscription dialog: says what premium opens and, as long as no plan exists, that none is on sale.
import { marketText } from '#shared/text/en/market.ts'
import { site } from '#web/lib/site.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckIcon, MessageCircleIcon } from '#web/ui/icon.ts'

export function PremiumDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={marketText.subscriptionTitle} description={marketText.subscriptionIntro}>
      <ul className="grid gap-2 text-13">
        {marketText.subscriptionOffers.map((offer) => (
          <li key={offer} className="flex gap-2">
            <CheckIcon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" strokeWidth={1.5} />
            {offer}
          </li>
        ))}
      </ul>
      <p className="mt-4 rounded-panel border border-line bg-surface px-3 py-2.5 text-13 text-text-2">{marketText.subscriptionNoPlans}</p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onClose}>
          {marketText.close}
        </Button>
        <a href={site.supportUrl} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
          <MessageCircleIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
          {marketText.subscriptionSupport}
        </a>
      </div>
    </Dialog>
  )
}
