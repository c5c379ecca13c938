// What is on sale, with all four drawings: loading, failed, nothing, and the form.
import { useQuery } from '@tanstack/react-query'
import { marketText } from '#shared/text/en/market.ts'
import { planText } from '#shared/text/en/plans.ts'
import { purchaseText as text } from '#shared/text/en/purchase.ts'
import { Button } from '#web/ui/button.tsx'
import { plansQuery } from './api.ts'
import { DialogEnd } from './dialog-end.tsx'
import { PurchaseFields } from './purchase-fields.tsx'

export function PurchasePanel({ onClose }: { readonly onClose: () => void }) {
  const { data, isError, isFetching, refetch } = useQuery(plansQuery)
  if (data === undefined && isError)
    return (
      <div role="alert" className="flex items-center justify-between gap-4 rounded-panel border border-line bg-surface px-3 py-2.5 text-13">
        {planText.loadFailed}
        <Button variant="outline" isBusy={isFetching} onClick={() => void refetch()}>
          {text.retry}
        </Button>
      </div>
    )
  if (data === undefined) return <PlansOnTheirWay />
  if (data.length === 0)
    return (
      <>
        <p className="rounded-panel border border-line bg-surface px-3 py-2.5 text-13 text-text-2">{marketText.subscriptionNoPlans}</p>
        <DialogEnd onClose={onClose} />
      </>
    )
  return <PurchaseFields plans={data} onDone={onClose} />
}

/** As high as the form, so that the dialog does not jump. */
function PlansOnTheirWay() {
  const bar = 'animate-breathe rounded-panel border border-line bg-surface'
  return (
    <output aria-label={text.loading} className="grid gap-4 md:grid-cols-[1fr_15rem]">
      <span className={`h-16 ${bar}`} />
      <span className={`h-40 md:row-span-2 md:h-80 ${bar}`} />
      <span className={`h-40 ${bar}`} />
    </output>
  )
}
