// Audit log; its filter is in the address.
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { adminScreensText } from '#shared/text/en/admin-screens.ts'
import { auditText as text } from '#shared/text/en/audit.ts'
import { AuditFilterBar } from '#web/features/audit/audit-filter-bar.tsx'
import { AuditLog } from '#web/features/audit/audit-log.tsx'
import { readAuditView, writeAuditView, type AuditView } from '#web/features/audit/audit-view.ts'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminAuditScreen() {
  useTitle(adminScreensText.auditLog)
  const [params, setParams] = useSearchParams()
  const view = readAuditView(params)
  const change = useCallback(
    // At once: the router gives the next change the parameters of the last render.
    (part: Partial<AuditView>) =>
      setParams((before) => writeAuditView({ ...readAuditView(before), ...part }), { replace: true, flushSync: true }),
    [setParams],
  )
  return (
    <>
      <h1 className="text-20 font-semibold tracking-tight">{adminScreensText.auditLog}</h1>
      <p className="mb-3 text-12 text-text-2">{text.intro}</p>
      <AuditFilterBar view={view} onChange={change} />
      <AuditLog view={view} />
    </>
  )
}
