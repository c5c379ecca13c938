// Audit log; the search is in the address.
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { AuditLog } from '#web/features/audit/audit-log.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { SearchField } from '#web/ui/search-field.tsx'

export function AdminAuditScreen() {
  useTitle(text.auditLog)
  const [params, setParams] = useSearchParams()
  const search = (params.get('search') ?? '').trim().slice(0, 100)
  const find = useCallback((wanted: string) => setParams(wanted === '' ? {} : { search: wanted }, { replace: true }), [setParams])
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="text-20 font-semibold tracking-tight">{text.auditLog}</h1>
          <p className="text-12 text-text-2">{text.auditIntro}</p>
        </div>
        <SearchField label={text.search} placeholder={text.auditSearch} value={search} onSearch={find} className="w-full md:w-72" />
      </div>
      <AuditLog search={search} />
    </>
  )
}
