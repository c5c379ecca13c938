// Premium Subscription dialog: premium features and the purchase form, or the pending notice.
import { useEffect, useRef } from 'react'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { purchaseText } from '#shared/subscriptions/text/en-purchase.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckIcon } from '#web/ui/icon.ts'
import { DialogFooter, PurchasePanel } from './purchase-panel.tsx'
import { LazyEndNotice } from './lazy-end-notice.ts'
import { PendingNotice } from './pending-notice.tsx'
import { lastPlanOf } from './rules.ts'

export interface PremiumDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly user: User
}

export function PremiumDialog({ isOpen, onClose, user }: PremiumDialogProps) {
  const isPending = user.status === 'pending'
  const premiumUntil = user.isPremium && user.premiumEndDate !== null ? indiaDate(user.premiumEndDate) : undefined
  useCloseAtAcceptance(user, onClose)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={subscriptionText.dialogTitle}
      description={
        isPending ? undefined : premiumUntil === undefined ? marketText.subscriptionIntro : purchaseText.renewalNote(premiumUntil)
      }
      widthClass={isPending ? 'max-w-md' : 'max-w-3xl'}
    >
      {isPending ? (
        <>
          <PendingNotice user={user} />
          <DialogFooter onClose={onClose} />
        </>
      ) : (
        <>
          {premiumUntil === undefined && <Offers />}
          {user.reason !== undefined && (
            <div className="mb-4">
              <LazyEndNotice user={user} />
            </div>
          )}
          <PurchasePanel lastPlan={lastPlanOf(user)} onClose={onClose} />
        </>
      )}
    </Dialog>
  )
}

function Offers() {
  return (
    <ul className="-mt-2 mb-4 grid gap-1 text-13">
      {marketText.subscriptionOffers.map((offer) => (
        <li key={offer} className="flex gap-2">
          <CheckIcon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" strokeWidth={1.5} />
          {offer}
        </li>
      ))}
    </ul>
  )
}

/** A user who has just been accepted wants the charts, not the form for the next purchase. */
function useCloseAtAcceptance({ status }: User, onClose: () => void): void {
  const before = useRef(status)
  useEffect(() => {
    if (before.current === 'pending' && status === 'paid') onClose()
    before.current = status
  }, [status, onClose])
}
