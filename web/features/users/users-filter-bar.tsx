// Filters of the user list (search, dates of premium start), and the CSV export.
import { useCallback } from 'react'
import { adminText } from '#shared/text/en/admin.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { Button } from '#web/ui/button.tsx'
import { DateRange } from '#web/ui/date-range.tsx'
import { ExportButton } from '#web/ui/export-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { useExportUsers } from './admin-api.ts'
import { SortToggle } from './sort-toggle.tsx'
import type { UserView } from './user-list-params.ts'

export interface UsersFilterBarProps {
  readonly view: UserView
  readonly onChange: (change: Partial<UserView>) => void
}

export function UsersFilterBar({ view, onChange }: UsersFilterBarProps) {
  const exporting = useExportUsers()
  const search = useCallback((search: string) => onChange({ search }), [onChange])
  const hasDays = view.from !== '' || view.to !== ''
  return (
    <div className="flex flex-wrap items-start gap-2">
      <SearchField
        label={text.search}
        placeholder={adminText.searchPlaceholder}
        value={view.search}
        onSearch={search}
        className="w-full md:w-64"
      />
      <DateRange from={view.from} to={view.to} onChange={onChange} />
      <Button variant="quiet" aria-disabled={!hasDays} onClick={hasDays ? () => onChange({ from: '', to: '' }) : undefined}>
        {text.clear}
      </Button>
      <SortToggle sort={view.sort} onSort={(sort) => onChange({ sort })} className="md:hidden" label={text.columns.start} />
      <ExportButton isBusy={exporting.isPending} onClick={() => exporting.mutate(view)}>
        {text.exportCsv}
      </ExportButton>
    </div>
  )
}
