// Network and address of the crypto plan, or a warning where buyers have to guess them.
import { networkNames } from '#shared/plans/network.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { Warning } from './payee-note.tsx'

export function NetworkNote({ network, address }: Pick<Plan, 'network' | 'address'>) {
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
