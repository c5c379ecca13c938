// Each check with its state; for a failing one what to do.
import type { SystemStatus } from '#shared/system-status/contract.ts'
import type { SystemCheck } from '#shared/system-status/system-check.ts'
import { systemStatusText as text } from '#shared/system-status/text/en.ts'

const looks = {
  ok: { dot: 'bg-ok', word: 'text-ok' },
  failing: { dot: 'bg-danger', word: 'text-danger' },
  off: { dot: 'bg-line-strong', word: 'text-text-2' },
  unknown: { dot: 'bg-line-strong', word: 'text-text-2' },
} as const

export function CheckList({ checks, warnings }: Pick<SystemStatus, 'checks' | 'warnings'>) {
  return (
    <section aria-label={text.checks}>
      <ul className="grid gap-px overflow-hidden rounded-panel border border-line bg-line">
        {checks.map((check) => (
          <Check key={check.name} check={check} />
        ))}
        {warnings.map((warning) => (
          <li key={warning} className="flex items-baseline gap-2 bg-surface px-4 py-2 text-13">
            <span aria-hidden className="size-1.5 shrink-0 -translate-y-px rounded-full bg-warn" />
            <span className="font-medium">{text.warnings}</span>{' '}
            <span className="min-w-0 text-warn [overflow-wrap:anywhere]">{warning}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Check({ check: { name, state, details } }: { readonly check: SystemCheck }) {
  const look = looks[state]
  return (
    <li className="bg-surface px-4 py-2 text-13">
      <span className="flex items-baseline gap-2">
        <span aria-hidden className={`size-1.5 shrink-0 -translate-y-px rounded-full ${look.dot}`} />
        <span className="font-medium">{text.checkNames[name]}</span>
        <span className={look.word}>{text.checkStates[state]}</span>
        {details.length > 0 && <span className="min-w-0 text-text-2 [overflow-wrap:anywhere]">{details.join(', ')}</span>}
      </span>
      {state === 'failing' && <span className="block pl-3.5 text-12 text-text-2">{text.steps[name]}</span>}
    </li>
  )
}
