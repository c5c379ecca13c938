// Filter of the audit log as URL parameters.
import { auditActions, type AuditAction } from '#shared/audit/audit-actions.ts'
import type { AuditFilter } from '#shared/audit/contract.ts'
import { isDay } from '#web/lib/day-text.ts'

export interface AuditListParams {
  readonly actor: string
  readonly target: string
  /** Empty for the acts of admins. */
  readonly action: AuditAction | 'all' | ''
  /** ISO dates in India, empty where open. */
  readonly from: string
  readonly to: string
}

/** Parses the parameters; invalid values are ignored. */
export function parseAuditListParams(params: URLSearchParams): AuditListParams {
  const textOf = (name: string) => (params.get(name) ?? '').trim().slice(0, 100)
  const dayOf = (name: string) => (isDay(params.get(name) ?? '') ? (params.get(name) ?? '') : '')
  const action = params.get('action')
  return {
    actor: textOf('actor'),
    target: textOf('target'),
    action: action === 'all' ? action : (auditActions.find((known) => known === action) ?? ''),
    from: dayOf('from'),
    to: dayOf('to'),
  }
}

/** The shortest URL parameters. */
export function writeAuditListParams(params: AuditListParams): URLSearchParams {
  return new URLSearchParams(Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== ''))
}

/** The filter in the format of the contract. */
export function auditFilterOf(params: AuditListParams): AuditFilter {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))
}
