// Admin page Status: checks first, then figures of the process, backups, sources and jobs.
import { useQuery } from '@tanstack/react-query'
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { systemStatusText as text } from '#shared/text/en/system-status.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { RefreshHeading } from '#web/ui/refresh-heading.tsx'
import { BackupFacts, StatusNote } from './backup-facts.tsx'
import { CheckList } from './check-list.tsx'
import { ProcessFacts } from './process-facts.tsx'
import { JobsTable, SourceStatesTable } from './source-states-table.tsx'
import { statusQuery } from './api.ts'

/** Renders loading, error and data states. No polling: a page left open must not keep a session alive. */
export function StatusPanel() {
  const query = useQuery(statusQuery)
  const { data, error } = query
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <RefreshHeading title={text.status} texts={text} query={query} />
      {error !== null && <FailureNotice query={query} />}
      {data !== undefined && (
        <>
          <CheckList checks={data.checks} warnings={data.warnings} />
          <StatusNote title={text.alertsTitle} sentence={alertsText(data.alerts)} />
          <BackupFacts status={data} />
          <ProcessFacts status={data} />
        </>
      )}
      {(data !== undefined || error === null) && (
        <>
          <h2 className="text-14 font-semibold">{text.sources}</h2>
          <SourceStatesTable sources={data?.sources} />
          <h2 className="text-14 font-semibold">{text.jobs}</h2>
          <JobsTable jobs={data?.jobs} nowMs={data?.nowMs ?? 0} />
        </>
      )}
    </div>
  )
}

function alertsText({ mail, telegram }: SystemStatus['alerts']): string {
  if (mail && telegram) return text.alerts.both
  if (mail) return text.alerts.mail
  return telegram ? text.alerts.telegram : text.alertsOff
}
