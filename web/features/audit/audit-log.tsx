// Audit log: a table of sentences with Load more.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditRow } from '#shared/audit/contract.ts'
import { auditSentence } from '#shared/audit/audit-sentence.ts'
import { isReversed } from '#shared/base/day-range.ts'
import { auditText as text } from '#shared/audit/text/en.ts'
import { adminScreensText } from '#shared/users/text/en.ts'
import { datesText } from '#shared/base/text/en-dates.ts'
import { indiaDateTime, none } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { auditQuery, useExportAudit } from './api.ts'
import type { AuditListParams } from './audit-list-params.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { useCallback } from 'react'
import { adminActions, auditActions, type AuditAction } from '#shared/audit/audit-actions.ts'
import { DateRange } from '#web/ui/date-range.tsx'
import { ExportButton } from '#web/ui/export-button.tsx'
import { SearchField, smallFieldClass } from '#web/ui/search-field.tsx'

const { columns: heads } = text

const columns: readonly DataColumn<AuditRow>[] = [
  { id: 'at', head: heads.at, className: 'align-top py-1.5 text-text-2', cell: ({ at }) => <time dateTime={at}>{indiaDateTime(at)}</time> },
  { id: 'what', head: heads.what, card: 'title', className: 'align-top py-1.5', cell: (row) => <What row={row} /> },
  { id: 'actor', head: heads.actor, className: 'align-top py-1.5', cell: ({ actor }) => <Cut value={actor} className="max-w-52" /> },
  { id: 'target', head: heads.target, className: 'align-top py-1.5', cell: ({ target }) => <Cut value={target} className="max-w-52" /> },
  {
    id: 'address',
    head: heads.address,
    className: 'align-top py-1.5 text-text-2',
    cell: ({ address }) => <Cut value={address} className="max-w-36" />,
  },
]

/** Renders loading, empty, error and data states. */
export function AuditLog({ params }: { readonly params: AuditListParams }) {
  const query = useInfiniteQuery(auditQuery(params))
  const isNothing = isReversed(params)
  if (query.isLoadingError) return <FailureNotice query={query} />
  return (
    <>
      <DataTable
        label={adminScreensText.auditLog}
        columns={columns}
        rows={isNothing ? [] : query.data?.pages.flat()}
        rowKey={({ id }) => id}
        empty={isNothing ? datesText.reversed : text.empty}
        isStale={query.isPlaceholderData}
        expectedRows={12}
      />
      {query.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button variant="outline" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {text.loadMore}
          </Button>
        </div>
      )}
    </>
  )
}

function Cut({ value, className }: { readonly value: string; readonly className: string }) {
  return (
    <span title={value} className={`block md:truncate max-md:max-w-full max-md:[overflow-wrap:anywhere] ${className}`}>
      {value === '' ? none : value}
    </span>
  )
}

/** The sentence, and the values that it leaves out. */
function What({ row }: { readonly row: AuditRow }) {
  const words = auditDetailsText(row.details)
  return (
    <span className="block max-w-140 min-w-0 whitespace-normal [overflow-wrap:anywhere]">
      <span className="block font-medium">{auditSentence(row)}</span>
      {words !== '' && <span className="block text-12 font-normal text-text-3">{words}</span>}
    </span>
  )
}

type Pairs = Readonly<Record<string, unknown>>

const valueCharsMax = 40
const isoMoment = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/
/** Row numbers of the database; the sentence says what happened. */
const internals: ReadonlySet<string> = new Set(['change', 'undoes', 'version'])
/** Groups whose values speak for themselves. */
const groups: ReadonlySet<string> = new Set(['filter', 'licences', 'counts'])

/** JSON pairs as 'Months: 3 · Price: 999 → 1099'; anything but a JSON object is unchanged. */
export function auditDetailsText(details: string): string {
  const value = parseJson(details)
  return isPairs(value) ? pairTexts(value).join(' · ') : details
}

function pairTexts({ before, after, ...others }: Pairs): readonly string[] {
  const rest = Object.entries(others).flatMap(([name, value]) => namedTexts(name, value))
  if (before === undefined && after === undefined) return rest
  if (!isPairs(before ?? {}) || !isPairs(after ?? {})) return [`${valueText(before)} → ${valueText(after)}`, ...rest]
  return [...changeTexts((before ?? {}) as Pairs, (after ?? {}) as Pairs), ...rest]
}

/** A value that is known on one side only is shown once, an unchanged one not at all. */
function changeTexts(before: Pairs, after: Pairs): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    if (!(name in before)) return namedTexts(name, after[name])
    if (!(name in after)) return namedTexts(name, before[name])
    const [was, is] = [valueText(before[name], name), valueText(after[name], name)]
    if (was === is || internals.has(name)) return []
    return [name === 'image' ? text.imageChanged : `${labelOf(name)}: ${was} → ${is}`]
  })
}

/** Nothing for what is empty, and for the fingerprint of an image. */
function namedTexts(name: string, value: unknown): readonly string[] {
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (isEmpty || internals.has(name) || name === 'image') return []
  if (!isPairs(value)) return [`${labelOf(name)}: ${valueText(value, name)}`]
  const inner = pairTexts(value)
  if (inner.length === 0) return []
  return groups.has(name) ? inner : [`${labelOf(name)} (${inner.join(', ')})`]
}

function valueText(value: unknown, name = ''): string {
  if (value === null || value === undefined || value === '') return none
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (isPairs(value)) return `(${pairTexts(value).join(', ')})`
  if (Array.isArray(value)) return value.map((one) => valueText(one)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isoMoment.test(value)) return indiaDateTime(value)
  const words = lookUp(lookUp(text.detailValues, name) ?? {}, value) ?? value
  return words.length > valueCharsMax ? `${words.slice(0, valueCharsMax)}…` : words
}

/** A name of another version: 'premiumEnd' becomes 'Premium end'. */
function labelOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return lookUp(text.detailNames, name) ?? words.slice(0, 1).toUpperCase() + words.slice(1)
}

function lookUp<Value>(words: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined
}

function isPairs(value: unknown): value is Pairs {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const optionOf = (action: AuditAction) => ({ value: action, label: text.actions[action] })
const options = [
  { value: '', label: text.adminActs },
  { value: 'all', label: text.allActs },
  ...adminActions.map((action) => optionOf(action)),
  ...auditActions.slice(adminActions.length).map((action) => optionOf(action)),
]

interface AuditFilterBarProps {
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
