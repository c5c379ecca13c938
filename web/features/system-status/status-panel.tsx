// Admin page Status: checks first, then figures of the process, backups, sources and jobs.
import { useQuery } from '@tanstack/react-query'
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { systemStatusText as text } from '#shared/system-status/text/en.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { RefreshHeading } from '#web/ui/refresh-heading.tsx'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { statusQuery } from './api.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { FactGrid, type Fact } from '#web/ui/fact-grid.tsx'
import { ageText, indiaDateTime } from '#web/lib/india-date.ts'
import type { SystemCheck } from '#shared/system-status/system-check.ts'

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

function BackupFacts({ status: { backup, checks, nowMs } }: { readonly status: SystemStatus }) {
  if (backup === null) {
    const isOff = checks.some(({ name, state }) => name === 'backup' && state === 'off')
    return <StatusNote title={text.backup} sentence={isOff ? text.backupOff : text.backupUnreadable} />
  }
  const at = (ms: number | null): string => timeAndAge(ms, nowMs)
  return (
    <section aria-label={text.backup} className="grid gap-2">
      <h2 className="text-14 font-semibold">{text.backup}</h2>
      <FactGrid
        columns={3}
        facts={[
          { name: text.lastReached, value: at(backup.reachedMs), isWrong: backup.reachedMs === null },
          { name: text.lastBase, value: at(backup.baseMs), isWrong: backup.baseMs === null },
          { name: text.lastVerified, value: at(backup.verifiedMs) },
        ]}
      />
    </section>
  )
}

/** What there is to say instead of figures. */
function StatusNote({ title, sentence }: { readonly title: string; readonly sentence: string }) {
  return (
    <section aria-label={title} className="grid gap-1">
      <h2 className="text-14 font-semibold">{title}</h2>
      <p className="text-13 text-text-2">{sentence}</p>
    </section>
  )
}

/** Date, time and age; *Never* for null. */
function timeAndAge(ms: number | null, nowMs: number): string {
  if (ms === null) return text.never
  const iso = new Date(ms).toISOString()
  return text.age(indiaDateTime(iso), ageText(iso, nowMs))
}

const looks = {
  ok: { dot: 'bg-ok', word: 'text-ok' },
  failing: { dot: 'bg-danger', word: 'text-danger' },
  off: { dot: 'bg-line-strong', word: 'text-text-2' },
  unknown: { dot: 'bg-line-strong', word: 'text-text-2' },
} as const

function CheckList({ checks, warnings }: Pick<SystemStatus, 'checks' | 'warnings'>) {
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

type Source = SystemStatus['sources'][number]

const { sourceColumns } = text

const sources: readonly DataColumn<Source>[] = [
  { id: 'source', head: sourceColumns.source, card: 'title', cell: (row) => row.source ?? text.noSource },
  { id: 'state', head: sourceColumns.state, cell: (row) => <SourceState row={row} /> },
  { id: 'series', head: sourceColumns.series, cell: (row) => whole(row.series) },
  {
    id: 'stale',
    head: sourceColumns.stale,
    cell: (row) => <span className={row.stale > 0 ? 'text-danger' : ''}>{whole(row.stale)}</span>,
  },
  {
    id: 'age',
    head: sourceColumns.age,
    cell: ({ ageMs, series }) =>
      ageMs === null ? (
        <span className="text-text-3">{series === 0 ? text.ageNone : text.ageUnknown}</span>
      ) : (
        ageText(new Date(0).toISOString(), ageMs)
      ),
  },
]

function SourceState({ row: { source, isReal, failure, isKnown } }: { readonly row: Source }) {
  const { sourceStates } = text
  if (failure !== null)
    return (
      <span className="block text-danger md:py-1">
        <span>{sourceStates.fails}</span>
        <span className="block max-w-80 whitespace-normal text-text-2 [overflow-wrap:anywhere]">{failure}</span>
      </span>
    )
  if (source === null) return <span className="text-danger">{sourceStates.fails}</span>
  return <span className="text-text-2">{isReal ? (isKnown ? sourceStates.works : sourceStates.unknown) : sourceStates.generated}</span>
}

function SourceStatesTable({ sources: rows }: { readonly sources: readonly Source[] | undefined }) {
  return (
    <DataTable
      label={text.sources}
      columns={sources}
      rows={rows}
      rowKey={(row) => row.source ?? ''}
      empty={text.sourcesEmpty}
      expectedRows={2}
    />
  )
}
