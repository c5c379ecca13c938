// The rows of a table as cards, for narrow screens: a headline, labelled lines, buttons.
import type { ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import type { DataColumn, DataTableProps } from './data-column.ts'

type DataCardsProps<Row> = Pick<DataTableProps<Row>, 'label' | 'columns' | 'rowKey' | 'isStale'> & { readonly rows: readonly Row[] }

export function DataCards<Row>({ label, columns, rows, rowKey, isStale = false }: DataCardsProps<Row>) {
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
export function CardSkeletons<Row>({ columns, count }: { readonly columns: readonly DataColumn<Row>[]; readonly count: number }) {
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
