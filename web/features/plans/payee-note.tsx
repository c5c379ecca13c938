// Payee of a plan's QR code, with a warning if there is none or the amount differs.
import { currencyOf, type PlanType } from '#shared/plans/plan.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { formatMoney } from '#shared/base/format-money.ts'
import { WarningIcon } from '#web/ui/icon.ts'
import { readPayee } from '#web/lib/read-payee.ts'
import type { CheckedPayee } from './use-image-choice.ts'

interface PayeeNoteProps {
  readonly code: CheckedPayee
  /** Price of the plan; only a positive number is compared. */
  readonly price: number
  readonly type: PlanType
}

export function PayeeNote({ code, price, type }: PayeeNoteProps) {
  if (code === undefined) return <Warning sentence={text.paysUnknown} />
  if (code === null) return <Warning sentence={text.paysNobody} />
  const { address, name, amount } = readPayee(code)
  const differs = amount !== undefined && price > 0 && amount !== price
  return (
    <>
      <p className="mt-2 flex min-w-0 items-baseline gap-2 text-13">
        <span className="text-12 text-text-3">{text.pays}</span>
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <span className="font-medium select-all">{address}</span>
          {name !== undefined && <span className="text-text-2">{` ${name}`}</span>}
        </span>
      </p>
      {differs && <Warning sentence={text.amountDiffers(formatMoney(amount, currencyOf[type]))} />}
    </>
  )
}

export function Warning({ sentence }: { readonly sentence: string }) {
  return (
    <p className="mt-2 flex items-start gap-1.5 text-12 text-warn">
      <WarningIcon aria-hidden className="mt-0.5 size-3.5 shrink-0" strokeWidth={1.75} />
      {sentence}
    </p>
  )
}
