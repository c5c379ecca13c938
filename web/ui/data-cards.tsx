// The rows of a table as cards, for narrow screens: a headline, labelled lines, buttons.
import { cn } from '#web/lib/cn.ts'
import type { Column, DataTableProps } from './data-columns.ts'

type DataCardsProps<Row> = Pick<DataTableProps<Row>, 'label' | 'columns' | 'rowKey' | 'isStale'> & { readonly rows: readonly Row[] }

export function DataCards<Row>({ label, columns, rows, rowKey, isStale = false }: DataCardsProps<Row>) {
  const at = (place: Column<Row>['card']) => columns.filter(({ card = 'line' }) => card === place)
  const lines = columns.filter(({ card = 'line' }) => card === 'line' || card === 'wide')
  return (
    <ul aria-label={label} aria-busy={isStale} className={cn('grid gap-3', isStale && 'opacity-60')}>
      {rows.map((row, index) => (
        <li key={rowKey(row)} className="min-w-0 rounded-panel border border-line bg-surface p-3 text-13">
          <div className="flex min-w-0 items-center gap-2 text-14 font-medium">
            {at('title').map(({ id, cell }) => (
              <div key={id} className="min-w-0">
                {cell(row, index)}
              </div>
            ))}
          </div>
          <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2">
            {lines.map(({ id, head, cell, card }) => (
              <div key={id} className={cn('min-w-0', card === 'wide' && 'col-span-2')}>
                <dt className="text-11 text-text-3">{head}</dt>
                <dd className="min-w-0">{cell(row, index)}</dd>
              </div>
            ))}
          </dl>
          {at('actions').map(({ id, cell }) => (
            <div key={id} className="mt-3 empty:hidden">
              {cell(row, index)}
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}
