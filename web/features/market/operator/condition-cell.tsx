// How the prices of a series are now, in the words of the chart's badge; nothing is known of what nobody watches here.
import type { LiveCondition } from '#shared/market/live.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import { badgesOf } from '../condition-text.ts'

const tones = { ok: 'text-ok', warn: 'text-warn', danger: 'text-danger', plain: 'text-text-2' } as const

interface ConditionCellProps {
  readonly condition: LiveCondition | null
  /** Of the prices that only the owner of a broker account sees. */
  readonly ownCondition: LiveCondition | null
}

export function ConditionCell({ condition, ownCondition }: ConditionCellProps) {
  if (condition === null && ownCondition === null) return <span className="block text-text-3 md:py-1.5">{text.notInView}</span>
  return (
    <div className="grid max-w-64 gap-1 whitespace-normal max-md:max-w-full md:py-1.5">
      {condition !== null && <ConditionText condition={condition} />}
      {ownCondition !== null && <ConditionText condition={ownCondition} owner={text.own} />}
    </div>
  )
}

function ConditionText({ condition, owner }: { readonly condition: LiveCondition; readonly owner?: string }) {
  const { label, reason } = condition
  // What stands in for the instrument is told with the sources, at length.
  const kind = { ...condition, label: label === null ? null : { ...label, proxy: null } }
  return (
    <span>
      {owner !== undefined && <span className="text-text-2">{owner}: </span>}
      {badgesOf({ condition: kind, isConnected: true }).map((badge) => (
        <span key={badge.text} title={badge.note} className={`mr-1.5 text-11 font-semibold tracking-wide ${tones[badge.tone]}`}>
          {badge.text}
        </span>
      ))}
      {label !== null && <span>{label.source}</span>}
      {reason !== null && <span className="block text-text-2 [overflow-wrap:anywhere]">{reason}</span>}
    </span>
  )
}
