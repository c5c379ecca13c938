// Admin page Status: checks first, then figures of the process, backups, sources and jobs.
import { useQuery } from '@tanstack/react-query'
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { systemStatusText as text } from '#shared/system-status/text/en.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { RefreshHeading } from '#web/ui/refresh-heading.tsx'
import { BackupFacts, StatusNote, timeAndAge } from './backup-facts.tsx'
import { CheckList } from './check-list.tsx'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { SourceStatesTable } from './source-states-table.tsx'
import { statusQuery } from './api.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { FactGrid, type Fact } from '#web/ui/fact-grid.tsx'

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

const whole = (value: number): string => formatNumber(value, 0, 'en-IN')

/** Figures of the process that answered. */
function ProcessFacts({ status }: { readonly status: SystemStatus }) {
  const { database, live, hashes, hub, mails } = status
  const count = (name: string, value: number): Fact => ({ name, value: whole(value) })
  const facts: readonly Fact[] = [
    { name: text.runningSince, value: timeAndAge(status.startedAtMs, status.nowMs) },
    { name: text.connections, value: text.connectionsOf(whole(database.used), whole(database.max)) },
    { ...count(text.waitingConnections, database.waiting), isWrong: database.waiting > 0 },
    count(text.sockets, live.sockets),
    count(text.blockedSockets, live.blocked),
    { name: text.hub, value: adminMarketText.hubPlaces[hub], isWrong: hub === 'silent' },
    count(text.signInsWaiting, hashes.signIn.waiting),
    count(text.hashesWaiting, hashes.other.waiting),
    ...(mails === null
      ? []
      : [
          count(text.mailsSent, mails.sent),
          { ...count(text.mailsFailed, mails.failed), isWrong: mails.failed > 0 },
          count(text.mailsUnderWay, mails.underWay),
        ]),
  ]
  return (
    <section aria-label={text.process} className="grid gap-2">
      <h2 className="text-14 font-semibold">{text.process}</h2>
      <FactGrid columns={3} facts={facts} />
    </section>
  )
}

type Job = SystemStatus['jobs'][number]

const { jobColumns } = text

const jobsAt = (nowMs: number): readonly DataColumn<Job>[] => [
  { id: 'job', head: jobColumns.job, card: 'title', cell: ({ job }) => job },
  { id: 'last', head: jobColumns.last, cell: ({ lastSuccessMs }) => timeAndAge(lastSuccessMs, nowMs) },
  { id: 'success', head: jobColumns.success, cell: ({ success }) => whole(success) },
  { id: 'skipped', head: jobColumns.skipped, cell: ({ skipped }) => whole(skipped) },
  {
    id: 'failed',
    head: jobColumns.failed,
    cell: ({ failed }) => <span className={failed > 0 ? 'text-danger' : ''}>{whole(failed)}</span>,
  },
]

function JobsTable({ jobs, nowMs }: { readonly jobs: readonly Job[] | undefined; readonly nowMs: number }) {
  return (
    <DataTable label={text.jobs} columns={jobsAt(nowMs)} rows={jobs} rowKey={({ job }) => job} empty={text.jobsEmpty} expectedRows={2} />
  )
}
