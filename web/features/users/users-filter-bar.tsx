// Filters of the user list (search, dates of premium start), and the CSV export.
import { useCallback } from 'react'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { Button } from '#web/ui/button.tsx'
import { DateRange } from '#web/ui/date-range.tsx'
import { ExportButton } from '#web/ui/export-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { useExportUsers } from './api.ts'
import { SortToggle } from './sort-toggle.tsx'
import type { UserListParams } from './user-list-params.ts'

export interface UsersFilterBarProps {
  readonly params: UserListParams
  readonly onChange: (change: Partial<UserListParams>) => void
}

export function UsersFilterBar({ params, onChange }: UsersFilterBarProps) {
  const exporting = useExportUsers()
  const search = useCallback((search: string) => onChange({ search }), [onChange])
  const hasDays = params.from !== '' || params.to !== ''
  return (
    <div className="flex flex-wrap items-start gap-2">
      <SearchField
        label={text.search}
        placeholder={adminText.searchPlaceholder}
        value={params.search}
        onSearch={search}
        className="w-full md:w-64"
      />
      <DateRange from={params.from} to={params.to} onChange={onChange} />
      <Button variant="quiet" aria-disabled={!hasDays} onClick={hasDays ? () => onChange({ from: '', to: '' }) : undefined}>
        {text.clear}
      </Button>
      <SortToggle sort={params.sort} onSort={(sort) => onChange({ sort })} className="md:hidden" label={text.columns.start} />
      <ExportButton isBusy={exporting.isPending} onClick={() => exporting.mutate(params)}>
        {text.exportCsv}
      </ExportButton>
    </div>
  )
}
