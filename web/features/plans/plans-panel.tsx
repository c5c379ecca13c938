// Payment plans in two sections, and the dialogs that change them.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney } from '#shared/base/format-money.ts'
import { currencyOf, monthLabel, type Plan, type PlanType } from '#shared/plans/plan.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { planAdminText } from '#shared/plans/text/en-admin.ts'
import { planText } from '#shared/plans/text/en.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { PlusIcon, PencilIcon, TrashIcon } from '#web/ui/icon.ts'
import { FailureNotice, Notice, PanelSkeleton } from '#web/ui/notice.tsx'
import { lastChangeQuery, adminPlansQuery, useDeletePlan } from './api.ts'
import { PlanDialog } from './plan-dialog.tsx'
import { areAllTaken } from './plan-form.ts'
import { PayeeNote, Warning } from './payee-note.tsx'
import { networkNames } from '#shared/plans/network.ts'

const sections = [
  { type: 'regular', title: text.regularPlan, empty: text.noRegularPlan },
  { type: 'crypto', title: text.cryptoPlan, empty: text.noCryptoPlan },
] as const satisfies readonly { readonly type: PlanType; readonly title: string; readonly empty: string }[]

const fullNoteId = 'plans-full'

/** Renders loading, empty, error and data states. */
export function PlansPanel() {
  const query = useQuery(adminPlansQuery)
  const { data } = query
  // The dialogs keep their plan while they close.
  const [form, setForm] = useState<{ readonly isOpen: boolean; readonly plan: Plan | undefined }>({ isOpen: false, plan: undefined })
  const [planToDelete, setPlanToDelete] = useState<Plan>()
  const remove = useDeletePlan()
  const isFull = data !== undefined && areAllTaken(data)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-20 font-semibold tracking-tight">{text.paymentManagement}</h1>
        <Button
          disabled={isFull || data === undefined}
          aria-describedby={isFull ? fullNoteId : undefined}
          onClick={() => setForm({ isOpen: true, plan: undefined })}
          icon={<PlusIcon aria-hidden className="size-4" strokeWidth={1.75} />}
        >
          {text.addPayment}
        </Button>
        {isFull && (
          <p id={fullNoteId} className="-mt-2 w-full text-12 text-text-2 sm:text-right">
            {text.bothExist}
          </p>
        )}
      </div>
      {query.isLoadingError ? (
        // The text of the specification takes precedence over the server's message.
        <FailureNotice query={query} text={planText.loadFailed} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-2" aria-busy={query.isFetching}>
          {sections.map(({ type, title, empty }) => (
            <section key={type} aria-labelledby={`plan-${type}`}>
              <h2 id={`plan-${type}`} className="mb-2 text-14 font-semibold">
                {title}
              </h2>
              <SectionCards
                plans={data?.filter((plan) => plan.type === type)}
                empty={empty}
                onEdit={(plan) => setForm({ isOpen: true, plan })}
                onDelete={setPlanToDelete}
              />
            </section>
          ))}
        </div>
      )}
      <LastChange />
      <PlanDialog isOpen={form.isOpen} plan={form.plan} plans={data ?? []} onClose={() => setForm({ ...form, isOpen: false })} />
      <ConfirmDialog
        isOpen={planToDelete !== undefined}
        title={text.deletePlan}
        question={planAdminText.confirmDelete}
        confirmLabel={text.delete}
        isBusy={remove.isPending}
        onConfirm={() => planToDelete !== undefined && remove.mutate(planToDelete._id, { onSettled: () => setPlanToDelete(undefined) })}
        onClose={() => setPlanToDelete(undefined)}
      >
        {planToDelete !== undefined && <p className="mt-2 text-13 font-medium">{planName(planToDelete)}</p>}
      </ConfirmDialog>
    </>
  )
}

/** For example 'Regular Payment Plan, ₹999, 1 month'. */
function planName({ type, price, month }: Plan): string {
  const title = type === 'regular' ? text.regularPlan : text.cryptoPlan
  return `${title}, ${formatMoney(price, currencyOf[type])}, ${monthLabel(month)}`
}

interface SectionCardsProps {
  readonly plans: readonly Plan[] | undefined
  readonly empty: string
  readonly onEdit: (plan: Plan) => void
  readonly onDelete: (plan: Plan) => void
}

function SectionCards({ plans, empty, onEdit, onDelete }: SectionCardsProps) {
  if (plans === undefined) return <PanelSkeleton label={text.loading} className="h-44" />
  if (plans.length === 0) return <Notice text={empty} />
  return plans.map((plan) => <PlanCard key={plan._id} plan={plan} onEdit={() => onEdit(plan)} onDelete={() => onDelete(plan)} />)
}

/** Renders nothing on an error: the plans above report it. */
function LastChange() {
  const { data } = useQuery(lastChangeQuery)
  if (data === undefined || data === null) return null
  const { actor, at, action } = data
  return <p className="mt-6 text-12 text-text-3">{text.lastChanged(actor, indiaDateTime(at), text.planChanges[action])}</p>
}

interface PlanCardProps {
  readonly plan: Plan
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function PlanCard({ plan, onEdit, onDelete }: PlanCardProps) {
  const { month, price, type, qrcodeUrl, payee, network, address, updatedAt } = plan
  return (
    <article className="flex gap-4 rounded-panel border border-line bg-surface p-4 max-[26rem]:flex-col">
      <img
        src={qrcodeUrl}
        alt={text.imageOf(text.typeNames[type].toLowerCase())}
        className="size-36 shrink-0 rounded-control bg-white object-contain"
      />
      <div className="flex min-w-0 flex-1 flex-col">
        <p className="text-20 font-semibold tracking-tight tabular-nums">{formatMoney(price, currencyOf[type])}</p>
        <p className="text-13 text-text-2">{monthLabel(month)}</p>
        <PayeeNote code={payee} price={price} type={type} />
        {type === 'crypto' && <NetworkNote network={network} address={address} />}
        <p className="mt-1 text-12 text-text-3">
          <time dateTime={updatedAt}>{indiaDateTime(updatedAt)}</time>
        </p>
        <div className="mt-auto flex gap-2 pt-3">
          <Button variant="outline" size="small" onClick={onEdit} icon={<PencilIcon aria-hidden className="size-3.5" strokeWidth={1.5} />}>
            {text.edit}
          </Button>
          <Button variant="danger" size="small" onClick={onDelete} icon={<TrashIcon aria-hidden className="size-3.5" strokeWidth={1.5} />}>
            {text.delete}
          </Button>
        </div>
      </div>
    </article>
  )
}

/** Network and address of the crypto plan, or a warning where buyers have to guess them. */
function NetworkNote({ network, address }: Pick<Plan, 'network' | 'address'>) {
  if (network === null) return <Warning sentence={text.networkMissing} />
  return (
    <p className="mt-2 flex min-w-0 items-baseline gap-2 text-13">
      <span className="text-12 text-text-3">{text.network}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {networkNames[network]} <span className="text-text-2 select-all">{address}</span>
      </span>
    </p>
  )
}
