// Plans on sale, in four states: loading, error, empty, and the form.
import { useQuery } from '@tanstack/react-query'
import { type PlanType, monthLabel, type Plan } from '#shared/plans/plan.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { planText } from '#shared/plans/text/en.ts'
import { purchaseText as text } from '#shared/subscriptions/text/en-purchase.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { plansOnSaleQuery, useSubmitClaim } from './api.ts'
import { useRef, type ReactNode, useId, useState } from 'react'
import { ErrorNote, Form, useIssueFocus } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  referenceTexts,
  type PurchaseField,
  bareAmount,
  payeeFor,
  priceLabel,
  arrangePlans,
  findPurchaseIssue,
  type PurchaseIssue,
} from './rules.ts'
import { networkNames } from '#shared/plans/network.ts'
import { WarningIcon, MessageCircleIcon } from '#web/ui/icon.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { site } from '#web/lib/site.ts'

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

function PurchaseFields(options: PurchaseOptions) {
  const purchase = usePurchase(options)
  const { plan, issue, failure, isBusy } = purchase
  const formElement = useRef<HTMLFormElement>(null)
  const issueOf = (field: PurchaseField) => (issue?.field === field ? issue.message : undefined)
  useIssueFocus(issue, formElement)
  return (
    <Form
      ref={formElement}
      aria-busy={isBusy}
      className="grid gap-4 md:grid-cols-[1fr_15rem] md:grid-rows-[auto_1fr]"
      onSubmit={purchase.submit}
    >
      <PlanChoice plans={purchase.cards} chosen={plan?.type} error={issueOf('type')} onChoose={purchase.choose} />
      <div className="md:col-start-2 md:row-span-2 md:row-start-1">
        <PaymentTarget plan={plan} />
      </div>
      <div className="grid content-start gap-4">
        <TextField label={text.duration} readOnly value={plan === undefined ? '' : monthLabel(plan.month)} placeholder={text.noDuration} />
        <TextField
          {...referenceTexts(plan?.type)}
          name="utrNo"
          value={purchase.reference}
          error={issueOf('utrNo')}
          onChange={(event) => purchase.type(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        {failure !== undefined && <ErrorNote>{failure}</ErrorNote>}
        <Button type="submit" size="large" className="w-full" isBusy={isBusy} busyText={text.submitting}>
          {text.submit}
        </Button>
      </div>
    </Form>
  )
}

/** Without a plan the space stays empty, so that choosing one causes no layout shift. */
function PaymentTarget({ plan }: { readonly plan: Plan | undefined }) {
  if (plan === undefined)
    return (
      <div className="grid min-h-40 place-items-center rounded-panel border border-dashed border-line-strong p-6 text-center text-13 text-balance text-text-3 md:h-full">
        {text.choosePlan}
      </div>
    )
  const amount = priceLabel(plan)
  const payee =
    plan.address === null ? payeeFor(plan.payee, plan.price.toFixed(2)) : { address: plan.address, name: undefined, upiLink: undefined }
  return (
    <div className="grid content-start gap-3 rounded-panel border border-line bg-surface p-3 max-sm:grid-cols-[7.5rem_1fr]">
      <div className="grid justify-items-center gap-1.5 self-start">
        <img
          src={plan.qrcodeUrl}
          alt={payee === undefined ? text.qrAltBare(amount) : text.qrAlt(amount, payee.address)}
          className="aspect-square w-full rounded-control bg-white object-contain p-1.5 sm:max-w-52"
        />
        <span className="text-center text-11 text-text-3">{text.scan[plan.type]}</span>
      </div>
      <dl className="grid min-w-0 content-start gap-2.5">
        {payee !== undefined && (
          <Line name={text.payee} copy={<CopyButton value={payee.address} label={text.copyPayee} />}>
            <span className="[overflow-wrap:anywhere]">{payee.address}</span>
            {payee.name !== undefined && <span className="block text-12 font-normal text-text-2">{payee.name}</span>}
          </Line>
        )}
        {plan.network !== null && (
          <Line name={text.network}>
            <span>{networkNames[plan.network]}</span>
          </Line>
        )}
        <Line name={text.amount} copy={<CopyButton value={bareAmount(plan.price)} label={text.copyAmount} />}>
          <NumericText>{amount}</NumericText>
        </Line>
      </dl>
      {plan.type === 'crypto' && (
        <p className="flex items-start gap-1.5 text-12 text-pretty text-warn max-sm:col-span-2">
          <WarningIcon aria-hidden className="mt-0.5 size-3.5 shrink-0" strokeWidth={1.75} />
          {plan.network === null ? text.networkUnknown : text.networkWarning(networkNames[plan.network])}
        </p>
      )}
      {payee?.upiLink !== undefined && (
        <div className="hidden gap-1.5 max-sm:col-span-2 pointer-coarse:grid">
          <a href={payee.upiLink} className={buttonClass('outline')}>
            {text.openUpiApp}
          </a>
          {/* The browsers of apps open no other app. */}
          <p className="text-12 text-pretty text-text-3">{text.openUpiHint}</p>
        </div>
      )}
    </div>
  )
}

function Line({ name, copy, children }: { readonly name: string; readonly copy?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-text-3">{name}</dt>
      <dd className="flex items-center justify-between gap-2 text-13 font-medium">
        <span className="min-w-0">{children}</span>
        {copy}
      </dd>
    </div>
  )
}

interface PlanChoiceProps {
  readonly plans: readonly Plan[]
  readonly chosen: PlanType | undefined
  readonly error: string | undefined
  readonly onChoose: (type: PlanType) => void
}

function PlanChoice({ plans, chosen, error, onChoose }: PlanChoiceProps) {
  const errorId = useId()
  return (
    <fieldset aria-describedby={error === undefined ? undefined : errorId} className="min-w-0">
      <legend className="pb-1.5 text-13 font-medium text-text-2">{text.plan}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {plans.map((plan) => (
          <label
            key={plan.type}
            className="grid cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-x-2.5 rounded-panel border border-line-strong bg-canvas px-3 py-2.5 transition-colors hover:border-text-3 has-checked:border-accent has-checked:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="type"
              value={plan.type}
              checked={chosen === plan.type}
              onChange={() => onChoose(plan.type)}
              className="size-4 accent-accent-solid outline-none"
            />
            <span className="text-14 font-semibold">{text.planNames[plan.type]}</span>
            <NumericText className="text-16 font-semibold">{priceLabel(plan)}</NumericText>
            <span className="col-start-2 text-12 text-text-2">{text.rails[plan.type]}</span>
            <span className="text-right text-12 whitespace-nowrap text-text-2">{monthLabel(plan.month)}</span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={errorId} role="alert" className="pt-1.5 text-12 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface PurchaseOptions {
  /** At least one. */
  readonly plans: readonly Plan[]
  /** Chosen at first. */
  readonly lastPlan: PlanType | undefined
  readonly onDone: () => void
}

function usePurchase({ plans, lastPlan, onDone }: PurchaseOptions) {
  const { cards, only } = arrangePlans(plans)
  const [chosen, setChosen] = useState<PlanType | undefined>(only ?? lastPlan)
  const [reference, setReference] = useState('')
  const [issue, setIssue] = useState<PurchaseIssue>()
  const [failure, setFailure] = useState<string>()
  const submit = useSubmitClaim()
  // The chosen plan may no longer be on sale.
  const plan = cards.find(({ type }) => type === chosen)

  const send = (plan: Plan) =>
    submit.mutate(
      { plan, reference },
      {
        onSuccess: ({ isDone, message, referenceIssue }) => {
          if (isDone) onDone()
          else if (referenceIssue === undefined) setFailure(message)
          else setIssue({ field: 'utrNo', message: referenceIssue })
        },
        onError: () => setFailure(subscriptionText.submitFailed),
      },
    )

  return {
    cards,
    plan,
    reference,
    failure,
    /** A new object after each failed attempt, so that the focus moves again. */
    issue,
    isBusy: submit.isPending,
    choose: (type: PlanType) => {
      setChosen(type)
      setIssue(undefined)
      setFailure(undefined)
    },
    type: (value: string) => {
      setReference(value)
      setFailure(undefined)
      if (issue?.field === 'utrNo') setIssue(undefined)
    },
    submit: () => {
      if (submit.isPending) return
      setFailure(undefined)
      const found = findPurchaseIssue(plan?.type, reference)
      setIssue(found)
      if (found === undefined && plan !== undefined) send(plan)
    },
  }
}

export function DialogFooter({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className="mt-4 flex flex-wrap justify-end gap-2">
      <Button variant="outline" onClick={onClose}>
        {marketText.close}
      </Button>
      <a href={site.supportUrl} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
        <MessageCircleIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
        {marketText.subscriptionSupport}
      </a>
    </div>
  )
}
