// Plans on sale, in four states: loading, error, empty, and the form.
import { useQuery } from '@tanstack/react-query'
import type { PlanType } from '#shared/plans/plan.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { planText } from '#shared/plans/text/en.ts'
import { purchaseText as text } from '#shared/subscriptions/text/en-purchase.ts'
import { Button } from '#web/ui/button.tsx'
import { plansOnSaleQuery } from './api.ts'
import { DialogFooter } from './dialog-footer.tsx'
import { PurchaseFields } from './purchase-fields.tsx'

export interface PurchasePanelProps {
  readonly lastPlan: PlanType | undefined
  readonly onClose: () => void
}

export function PurchasePanel({ lastPlan, onClose }: PurchasePanelProps) {
  const { data, isError, isFetching, refetch } = useQuery(plansOnSaleQuery)
  if (data === undefined && isError)
    return (
      <div role="alert" className="flex items-center justify-between gap-4 rounded-panel border border-line bg-surface px-3 py-2.5 text-13">
        {planText.loadFailed}
        <Button variant="outline" isBusy={isFetching} onClick={() => void refetch()}>
          {text.retry}
        </Button>
      </div>
    )
  if (data === undefined) return <PlansSkeleton />
  if (data.length === 0)
    return (
      <>
        <p className="rounded-panel border border-line bg-surface px-3 py-2.5 text-13 text-text-2">{marketText.subscriptionNoPlans}</p>
        <DialogFooter onClose={onClose} />
      </>
    )
  return <PurchaseFields plans={data} lastPlan={lastPlan} onDone={onClose} />
}

/** As high as the form, so that the dialog does not change its height. */
function PlansSkeleton() {
  const bar = 'animate-breathe rounded-panel border border-line bg-surface'
  return (
    <output aria-label={text.loading} className="grid gap-4 md:grid-cols-[1fr_15rem]">
      <span className={`h-16 ${bar}`} />
      <span className={`h-40 md:row-span-2 md:h-80 ${bar}`} />
      <span className={`h-40 ${bar}`} />
    </output>
  )
}
