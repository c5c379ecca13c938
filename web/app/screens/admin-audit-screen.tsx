// Audit log; its filter is in the address.
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { adminScreensText } from '#shared/users/text/en.ts'
import { auditText as text } from '#shared/audit/text/en.ts'
import { AuditFilterBar, AuditLog } from '#web/features/audit/audit-log.tsx'
import { parseAuditListParams, writeAuditListParams, type AuditListParams } from '#web/features/audit/audit-list-params.ts'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminAuditScreen() {
  useTitle(adminScreensText.auditLog)
  const [searchParams, setSearchParams] = useSearchParams()
  const params = parseAuditListParams(searchParams)
  const change = useCallback(
    // At once: the router gives the next change the parameters of the last render.
    (part: Partial<AuditListParams>) =>
      setSearchParams((before) => writeAuditListParams({ ...parseAuditListParams(before), ...part }), { replace: true, flushSync: true }),
    [setSearchParams],
  )
  return (
    <>
      <h1 className="text-20 font-semibold tracking-tight">{adminScreensText.auditLog}</h1>
      <p className="mb-3 text-12 text-text-2">{text.intro}</p>
      <AuditFilterBar params={params} onChange={change} />
      <AuditLog params={params} />
    </>
  )
}
