// Plan card: duration, price, QR image, payee, Edit and Delete.
import { currencyOf, monthLabel, type Plan } from '#shared/plans/plan.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { formatMoney } from '#shared/base/format-money.ts'
import { Button } from '#web/ui/button.tsx'
import { PencilIcon, TrashIcon } from '#web/ui/icon.ts'
import { PayeeNote, Warning } from './payee-note.tsx'
import { networkNames } from '#shared/plans/network.ts'

export interface PlanCardProps {
  readonly plan: Plan
  readonly onEdit: () => void
  readonly onDelete: () => void
}

export function PlanCard({ plan, onEdit, onDelete }: PlanCardProps) {
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
