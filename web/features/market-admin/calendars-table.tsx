// Trading calendars and their last covered dates.
import type { MarketCalendar } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/text/en/admin-market.ts'
import type { Column } from '#web/ui/data-columns.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { calendarDate, calendarName } from './calendar-warnings.ts'

const { calendarColumns: heads } = text

const columns: readonly Column<MarketCalendar>[] = [
  { id: 'name', head: heads.calendar, card: 'title', cell: (row) => <span className="font-medium">{calendarName(row)}</span> },
  {
    id: 'serves',
    head: heads.serves,
    className: 'text-text-2',
    cell: ({ sessionClasses }) => sessionClasses.map((sessionClass) => text.sessionClassNames[sessionClass]).join(', '),
  },
  { id: 'version', head: heads.version, className: 'text-text-2', cell: ({ version }) => version },
  { id: 'until', head: heads.until, cell: ({ coveredUntil }) => (coveredUntil === null ? text.everyYear : calendarDate(coveredUntil)) },
  { id: 'left', head: heads.left, cell: (row) => <Left calendar={row} /> },
]

export function CalendarsTable({ calendars }: { readonly calendars: readonly MarketCalendar[] | undefined }) {
  return <DataTable label={text.calendars} columns={columns} rows={calendars} rowKey={calendarName} empty={null} expectedRows={7} />
}

function Left({ calendar: { coveredUntil, daysLeft } }: { readonly calendar: MarketCalendar }) {
  if (daysLeft !== null) return <span className="text-warn">{text.daysLeft(daysLeft)}</span>
  return <span className="text-text-2">{coveredUntil === null ? text.noEnd : text.daysEnough}</span>
}
