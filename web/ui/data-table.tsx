// Dense table with a sticky header; on narrow screens each row is a card.
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { cn } from '#web/lib/cn.ts'
import { useMedia } from '#web/lib/use-media.ts'
import type { DataColumn, DataTableProps } from './data-column.ts'
import type { ReactNode } from 'react'

/** Renders loading, empty and data states; the caller renders the error. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isNarrow = useMedia('(width < 48rem)')
  const { rows, empty, label, columns, className, isStale = false } = props
  if (rows === undefined) return <Skeleton rows={props.expectedRows ?? 5} columns={isNarrow ? columns : undefined} />
  if (rows.length === 0)
    return <div className="rounded-panel border border-line bg-surface px-4 py-8 text-center text-13 text-text-2">{empty}</div>
  if (isNarrow) return <DataCards {...props} rows={rows} />
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by the keyboard
      tabIndex={0}
      className={cn('scroll-pt-9 overflow-auto rounded-panel border border-line bg-surface', className)}
    >
      <table
        aria-label={label}
        aria-busy={isStale}
        className={cn('w-full border-separate border-spacing-0 text-12', isStale && 'opacity-60')}
      >
        <thead>
          <tr>
            {columns.map(({ id, head, headContent, sorted, isPinned, className: columnClass }) => (
              <th
                key={id}
                scope="col"
                aria-sort={sorted}
                className={cn(
                  'sticky top-0 h-8 border-b border-line bg-raised px-1.5 text-left font-medium whitespace-nowrap text-text-2 first:pl-3 last:pr-3',
                  isPinned === true ? 'right-0 z-20 border-l pl-3' : 'z-10',
                  columnClass,
                )}
              >
                {headContent ?? head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={props.rowKey(row)} className="group">
              {columns.map(({ id, cell, isPinned, className: columnClass }) => (
                <td
                  key={id}
                  className={cn(
                    'h-8 border-b border-line px-1.5 whitespace-nowrap group-last:border-b-0 group-focus-within:bg-hover group-hover:bg-hover first:pl-3 last:pr-3',
                    isPinned === true && 'sticky right-0 border-l bg-surface pl-3',
                    columnClass,
                  )}
                >
                  {cell(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface SkeletonProps<Row> {
  readonly rows: number
  /** For cards. */
  readonly columns: readonly DataColumn<Row>[] | undefined
}

function Skeleton<Row>({ rows, columns }: SkeletonProps<Row>) {
  if (columns !== undefined)
    return (
      <div>
        <output aria-label={text.loading} />
        <CardSkeletons columns={columns} count={rows} />
      </div>
    )
  return (
    <output aria-label={text.loading} className="block overflow-hidden rounded-panel border border-line bg-surface">
      {Array.from({ length: rows + 1 }, (_, index) => (
        <span key={index} className="flex h-8 items-center border-b border-line px-3 last:border-b-0">
          <span className="h-2.5 w-full animate-breathe rounded-control bg-hover" />
        </span>
      ))}
    </output>
  )
}

type DataCardsProps<Row> = Pick<DataTableProps<Row>, 'label' | 'columns' | 'rowKey' | 'isStale'> & { readonly rows: readonly Row[] }

function DataCards<Row>({ label, columns, rows, rowKey, isStale = false }: DataCardsProps<Row>) {
  return (
    <ul aria-label={label} aria-busy={isStale} className={cn('grid gap-3', isStale && 'opacity-60')}>
      {rows.map((row, index) => (
        <li key={rowKey(row)} className="min-w-0">
          <Card columns={columns} valueOf={({ cell }) => cell(row, index)} />
        </li>
      ))}
    </ul>
  )
}

/** Cards of the same height as those that come; a card with fewer buttons or wrapped text differs a little. */
function CardSkeletons<Row>({ columns, count }: { readonly columns: readonly DataColumn<Row>[]; readonly count: number }) {
  return (
    <div aria-hidden className="grid gap-3">
      {Array.from({ length: count }, (_, index) => (
        <Card key={index} columns={columns} valueOf={barOf} />
      ))}
    </div>
  )
}

interface CardProps<Row> {
  readonly columns: readonly DataColumn<Row>[]
  readonly valueOf: (column: DataColumn<Row>) => ReactNode
}

function Card<Row>({ columns, valueOf }: CardProps<Row>) {
  const at = (place: DataColumn<Row>['card']) => columns.filter(({ card = 'line' }) => card === place)
  const lines = columns.filter(({ card = 'line' }) => card === 'line' || card === 'wide')
  return (
    <div className="rounded-panel border border-line bg-surface p-3 text-13">
      <div className="flex min-w-0 items-center gap-2 text-14 font-medium">
        {at('title').map((column) => (
          <div key={column.id} className="min-w-0">
            {valueOf(column)}
          </div>
        ))}
      </div>
      <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2">
        {lines.map((column) => (
          <div key={column.id} className={cn('min-w-0', column.card === 'wide' && 'col-span-2')}>
            <dt className="text-11 text-text-3">{column.head}</dt>
            <dd className="min-w-0">{valueOf(column)}</dd>
          </div>
        ))}
      </dl>
      {at('actions').map((column) => (
        <div key={column.id} className="mt-3 empty:hidden">
          {valueOf(column)}
        </div>
      ))}
    </div>
  )
}

const barHeights = {
  title: 'h-5 w-24 pointer-coarse:h-7',
  line: 'h-5 w-16',
  wide: 'h-6 w-40',
  actions: 'h-9 w-full pointer-coarse:h-11',
} as const

/** As high as the value: a headline that is a button, a line, one with a button beside it, or buttons. */
function barOf({ card = 'line' }: Pick<DataColumn<unknown>, 'card'>): ReactNode {
  return (
    <span className={cn('flex items-center', barHeights[card])}>
      <span className={cn('w-full animate-breathe rounded-control bg-hover', card === 'actions' ? 'h-full' : 'h-2.5')} />
    </span>
  )
}
