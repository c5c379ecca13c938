// Table of all users.
import { type ReactNode, useCallback } from 'react'
import { adminScreensText as text, rolesText } from '#shared/users/text/en.ts'
import { usersPerPage, searchCountMax, usersCountMax } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate, none } from '#web/lib/india-date.ts'
import { CopyableText } from '#web/ui/copyable-text.tsx'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { KeyIcon, PencilIcon, ArrowDownIcon, ArrowUpDownIcon, ArrowUpIcon } from '#web/ui/icon.ts'
import { RowButton } from '#web/ui/row-button.tsx'
import type { UserListParams } from './user-list-params.ts'
import { statusText } from '#shared/subscriptions/text/en-status.ts'
import { cn } from '#web/lib/cn.ts'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { Button } from '#web/ui/button.tsx'
import { DateRange } from '#web/ui/date-range.tsx'
import { ExportButton } from '#web/ui/export-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { useExportUsers } from './api.ts'
import { formatNumber } from '#shared/base/format-number.ts'
import { Pagination } from '#web/ui/pagination.tsx'

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.5 } as const
const { columns: heads } = text

export interface UsersTableProps {
  readonly params: UserListParams
  /** Undefined during the first load. */
  readonly users: readonly User[] | undefined
  readonly isStale: boolean
  readonly empty: ReactNode
  readonly onSort: (sort: 'asc' | 'desc') => void
  readonly onPassword: (user: User) => void
  readonly onMonths: (user: User) => void
  readonly onHistory: (user: User) => void
  /** Buttons that change the status of a user. */
  readonly actions: (user: User) => ReactNode
}

export function UsersTable(props: UsersTableProps) {
  return (
    <DataTable
      label={text.allUsers}
      columns={columnsOf(props)}
      rows={props.users}
      rowKey={({ _id }) => _id}
      empty={props.empty}
      isStale={props.isStale}
      expectedRows={usersPerPage}
      // A short list only takes the space it needs; a long one never shrinks to nothing.
      className={(props.users?.length ?? 0) > 5 ? 'min-h-60' : 'shrink-0'}
    />
  )
}

function columnsOf({ params, onSort, onPassword, onMonths, onHistory, actions }: UsersTableProps): readonly DataColumn<User>[] {
  const before = (params.page - 1) * usersPerPage
  const sorted = params.sort === undefined ? 'none' : params.sort === 'asc' ? 'ascending' : 'descending'
  return [
    {
      id: 'serial',
      head: heads.serial,
      className: 'text-right text-text-3',
      card: 'title',
      cell: (_, index) => <Serial at={before + index + 1} />,
    },
    { id: 'name', head: heads.name, card: 'title', cell: (user) => <NameButton user={user} onPress={() => onHistory(user)} /> },
    { id: 'email', head: heads.email, card: 'wide', cell: (user) => <Email user={user} onPassword={() => onPassword(user)} /> },
    { id: 'phone', head: heads.phone, className: 'text-text-2', cell: ({ phone }) => phone },
    { id: 'premium', head: heads.premium, cell: (user) => <PremiumWord user={user} /> },
    { id: 'status', head: heads.status, cell: ({ status, reason }) => <StatusTag status={status} reason={reason} /> },
    {
      id: 'start',
      head: heads.start,
      sorted,
      headContent: <SortToggle sort={params.sort} onSort={onSort} label={heads.start} className="-ml-1" />,
      cell: ({ premiumStartDate }) => indiaDate(premiumStartDate),
    },
    { id: 'months', head: heads.months, className: 'text-right', cell: (user) => <Months user={user} onEdit={() => onMonths(user)} /> },
    { id: 'end', head: heads.end, cell: ({ premiumEndDate }) => indiaDate(premiumEndDate) },
    {
      id: 'type',
      head: heads.paymentType,
      className: 'max-2xl:whitespace-normal max-2xl:leading-tight',
      cell: ({ paymentType }) => <OrNot value={paymentType?.toUpperCase()} />,
    },
    { id: 'utr', head: heads.utr, card: 'wide', cell: (user) => <Reference user={user} /> },
    { id: 'action', head: heads.action, card: 'actions', isPinned: true, cell: actions },
  ]
}

function Serial({ at }: { readonly at: number }) {
  return <span className="text-text-3 tabular-nums">{at}</span>
}

function NameButton({ user, onPress }: { readonly user: User; readonly onPress: () => void }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <button
        type="button"
        aria-label={text.historyOf(user.name)}
        title={user.name}
        onClick={onPress}
        className="block max-w-30 truncate rounded-control text-left font-medium decoration-line-strong underline-offset-2 hover:underline max-md:max-w-full pointer-coarse:-my-2 pointer-coarse:min-h-11"
      >
        {user.name}
      </button>
      {user.role === 'admin' && (
        <span className="rounded-control border border-line-strong px-1 text-11 text-text-2">{rolesText.admin}</span>
      )}
    </span>
  )
}

function Email({ user, onPassword }: { readonly user: User; readonly onPassword: () => void }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="max-w-32 truncate max-md:max-w-full" title={user.email}>
        {user.email}
      </span>
      <RowButton label={text.resetPasswordOf(user.name)} onClick={onPassword}>
        <KeyIcon {...icon} />
      </RowButton>
    </span>
  )
}

function PremiumWord({ user }: { readonly user: User }) {
  return user.isPremium ? <span className="text-accent">{text.premium}</span> : <span className="text-text-2">{text.regular}</span>
}

/** Reserves the icon's space when there is nothing to edit, so that the figures are aligned. */
function Months({ user, onEdit }: { readonly user: User; readonly onEdit: () => void }) {
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {user.subscriptionMonths}
      {user.subscriptionMonths > 0 ? (
        <RowButton label={text.changeMonthsOf(user.name)} onClick={onEdit}>
          <PencilIcon {...icon} />
        </RowButton>
      ) : (
        <span className="size-6 max-md:hidden" />
      )}
    </span>
  )
}

function OrNot({ value }: { readonly value: string | null | undefined }) {
  if (value === null || value === undefined || value === '') return <span className="text-text-3">{text.notAvailable}</span>
  return <span>{value}</span>
}

function Reference({ user: { utrNo, name } }: { readonly user: User }) {
  if (utrNo === null || utrNo === '') return <OrNot value={utrNo} />
  return <CopyableText value={utrNo} label={text.copyReferenceOf(name)} isShort className="min-w-25 max-w-40" />
}

const dots = { pending: 'bg-warn', paid: 'bg-ok', cancel: 'bg-text-3' } as const

/** A word with a dot, and why it ended; an en dash without a subscription. */
function StatusTag({ status, reason }: Pick<User, 'status' | 'reason'>) {
  if (status === null) return <span className="text-text-3">{none}</span>
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-1.5 shrink-0 rounded-full ${dots[status]}`} />
      {/* One below the other where the table is short of space: a wide column would hide the references. */}
      <span className="leading-none md:max-2xl:grid">
        <span>{statusText[status]}</span>
        {reason !== undefined && (
          <>
            {' '}
            <span className="text-text-3 md:max-2xl:text-11 md:max-2xl:leading-none">{statusText[reason]}</span>
          </>
        )}
      </span>
    </span>
  )
}

interface SortToggleProps {
  readonly sort: UserListParams['sort']
  readonly onSort: (sort: 'asc' | 'desc') => void
  readonly label: string
  readonly className?: string
}

function SortToggle({ sort, onSort, label, className }: SortToggleProps) {
  const next = sort === 'asc' ? 'desc' : 'asc'
  const Icon = sort === undefined ? ArrowUpDownIcon : sort === 'asc' ? ArrowUpIcon : ArrowDownIcon
  return (
    <button
      type="button"
      title={next === 'asc' ? text.sortOldest : text.sortNewest}
      onClick={() => onSort(next)}
      className={cn(
        'inline-flex h-7 items-center gap-1 rounded-control px-1 text-12 font-medium hover:bg-hover hover:text-text pointer-coarse:h-11',
        sort === undefined ? 'text-text-2' : 'text-text',
        className,
      )}
    >
      {label}
      <Icon aria-hidden className="size-3.5" strokeWidth={1.75} />
    </button>
  )
}

interface UsersFilterBarProps {
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

interface UsersPagesProps {
  readonly page: number
  readonly perPage: number
  /** Rows on this page. */
  readonly shown: number
  readonly total: number
  readonly isSearch: boolean
  readonly onPage: (page: number) => void
}

export function UsersPages({ page, perPage, shown, total, isSearch, onPage }: UsersPagesProps) {
  const before = (page - 1) * perPage
  const countMax = isSearch ? searchCountMax : usersCountMax
  const isMore = total > countMax
  const totalText = formatNumber(Math.min(total, countMax), 0, 'en-IN') + (isMore ? '+' : '')
  // Where nobody has counted, a full page may be followed by another one.
  const pageCount = Math.max(page + (isMore && shown === perPage ? 1 : 0), Math.ceil(Math.min(total, countMax) / perPage))
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-2">
      <p className="text-12 text-text-2 tabular-nums">{text.usersShown(before + 1, before + shown, totalText)}</p>
      <Pagination page={page} pageCount={pageCount} isOpenEnded={isMore} onPage={onPage} />
    </div>
  )
}
