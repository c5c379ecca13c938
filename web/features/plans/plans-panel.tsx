// The plans on sale in their two sections, and the dialogs that change them.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Plan, PlanType } from '#shared/plans/plan.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { planText } from '#shared/text/en/plans.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { PlusIcon } from '#web/ui/icon.ts'
import { FailureNotice, Notice } from '#web/ui/notice.tsx'
import { StepUpHost } from '#web/ui/step-up-host.tsx'
import { lastChangeQuery, plansQuery, useDeletePlan } from './api.ts'
import { PlanCard } from './plan-card.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { areAllTaken } from './plan-form.ts'

const sections = [
  { type: 'regular', title: text.regularPlan, empty: text.noRegularPlan },
  { type: 'crypto', title: text.cryptoPlan, empty: text.noCryptoPlan },
] as const satisfies readonly { readonly type: PlanType; readonly title: string; readonly empty: string }[]

/** Draws loading, empty, error and full. */
export function PlansPanel() {
  const { data, error, isFetching, refetch } = useQuery(plansQuery)
  // The dialogs keep what they were opened for while they close.
  const [form, setForm] = useState<{ readonly isOpen: boolean; readonly plan: Plan | undefined }>({ isOpen: false, plan: undefined })
  const [doomed, setDoomed] = useState<Plan>()
  const remove = useDeletePlan()
  const isFull = data === undefined || areAllTaken(data)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-20 font-semibold tracking-tight">{text.paymentManagement}</h1>
        <Button
          disabled={isFull}
          title={isFull && data !== undefined ? text.bothExist : undefined}
          onClick={() => setForm({ isOpen: true, plan: undefined })}
        >
          <PlusIcon aria-hidden className="size-4" strokeWidth={1.75} />
          {text.addPayment}
        </Button>
      </div>
      {data === undefined && error !== null ? (
        // The specified sentence, also where the server has one of its own.
        <FailureNotice error={undefined} fallback={planText.loadFailed} isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-2" aria-busy={isFetching}>
          {sections.map(({ type, title, empty }) => (
            <section key={type} aria-labelledby={`plan-${type}`}>
              <h2 id={`plan-${type}`} className="mb-2 text-14 font-semibold">
                {title}
              </h2>
              <SectionCards
                plans={data?.filter((plan) => plan.type === type)}
                empty={empty}
                onEdit={(plan) => setForm({ isOpen: true, plan })}
                onDelete={setDoomed}
              />
            </section>
          ))}
        </div>
      )}
      <LastChange />
      <PlanDialog isOpen={form.isOpen} plan={form.plan} plans={data ?? []} onClose={() => setForm({ ...form, isOpen: false })} />
      <ConfirmDialog
        isOpen={doomed !== undefined}
        title={text.deletePlan}
        question={planText.confirmDelete}
        confirmLabel={text.delete}
        isBusy={remove.isPending}
        onConfirm={() => doomed !== undefined && remove.mutate(doomed._id, { onSettled: () => setDoomed(undefined) })}
        onClose={() => setDoomed(undefined)}
      >
        <StepUpHost />
      </ConfirmDialog>
    </>
  )
}

interface SectionCardsProps {
  readonly plans: readonly Plan[] | undefined
  readonly empty: string
  readonly onEdit: (plan: Plan) => void
  readonly onDelete: (plan: Plan) => void
}

function SectionCards({ plans, empty, onEdit, onDelete }: SectionCardsProps) {
  if (plans === undefined) {
    return <output aria-label={text.loading} className="block h-44 animate-breathe rounded-panel border border-line bg-surface" />
  }
  if (plans.length === 0) return <Notice text={empty} />
  return plans.map((plan) => <PlanCard key={plan._id} plan={plan} onEdit={() => onEdit(plan)} onDelete={() => onDelete(plan)} />)
}

/** Stays silent where it cannot be read: the plans above say the rest. */
function LastChange() {
  const { data } = useQuery(lastChangeQuery)
  if (data === undefined || data === null) return null
  const { actor, at, action } = data
  return <p className="mt-6 text-12 text-text-3">{text.lastChanged(actor, indiaDateTime(at), action.replaceAll('-', ' '))}</p>
}
