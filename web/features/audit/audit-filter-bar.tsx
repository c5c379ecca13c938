// Filters of the audit log (actor, action, target, days), and its CSV export.
import { useCallback } from 'react'
import { adminActions, auditActions, type AuditAction } from '#shared/audit/audit-actions.ts'
import { adminScreensText } from '#shared/users/text/en.ts'
import { auditText as text } from '#shared/audit/text/en.ts'
import { DateRange } from '#web/ui/date-range.tsx'
import { ExportButton } from '#web/ui/export-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { smallFieldClass } from '#web/ui/small-field-class.ts'
import { useExportAudit } from './api.ts'
import type { AuditListParams } from './audit-list-params.ts'

const optionOf = (action: AuditAction) => ({ value: action, label: text.actions[action] })
const options = [
  { value: '', label: text.adminActs },
  { value: 'all', label: text.allActs },
  ...adminActions.map((action) => optionOf(action)),
  ...auditActions.slice(adminActions.length).map((action) => optionOf(action)),
]

export interface AuditFilterBarProps {
  readonly params: AuditListParams
  readonly onChange: (change: Partial<AuditListParams>) => void
}

export function AuditFilterBar({ params, onChange }: AuditFilterBarProps) {
  const exporting = useExportAudit()
  const findActor = useCallback((actor: string) => onChange({ actor }), [onChange])
  const findTarget = useCallback((target: string) => onChange({ target }), [onChange])
  return (
    <div className="mb-3 flex flex-wrap items-start gap-2">
      <SearchField label={text.actor} placeholder={text.actor} value={params.actor} onSearch={findActor} className="w-full md:w-44" />
      <SearchField label={text.target} placeholder={text.target} value={params.target} onSearch={findTarget} className="w-full md:w-44" />
      <select
        aria-label={text.action}
        value={params.action}
        onChange={(event) => onChange({ action: event.target.value as AuditListParams['action'] })}
        className={`${smallFieldClass} max-md:w-full`}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value} className="bg-raised">
            {label}
          </option>
        ))}
      </select>
      <DateRange from={params.from} to={params.to} onChange={onChange} />
      <ExportButton isBusy={exporting.isPending} onClick={() => exporting.mutate(params)}>
        {adminScreensText.exportCsv}
      </ExportButton>
    </div>
  )
}
