// Payment details: QR code, payee and exact amount, with copy buttons.
import type { ReactNode } from 'react'
import { networkNames } from '#shared/plans/network.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { purchaseText as text } from '#shared/subscriptions/text/en-purchase.ts'
import { WarningIcon } from '#web/ui/icon.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { bareAmount, payeeFor, priceLabel } from './rules.ts'

/** Without a plan the space stays empty, so that choosing one causes no layout shift. */
export function PaymentTarget({ plan }: { readonly plan: Plan | undefined }) {
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
