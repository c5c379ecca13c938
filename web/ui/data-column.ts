// Columns and rows of a table, for both table and card layout.
import type { ReactNode } from 'react'

export interface DataColumn<Row> {
  readonly id: string
  readonly head: string
  readonly cell: (row: Row, index: number) => ReactNode
  /** Replaces the plain text of the column header, for example with a sort toggle. */
  readonly headContent?: ReactNode
  readonly sorted?: 'ascending' | 'descending' | 'none'
  /** Width and alignment of the column. */
  readonly className?: string
  /** Position of the value on a card: headline, footer buttons, or a labelled value, `wide` over the full width. */
  readonly card?: 'title' | 'actions' | 'line' | 'wide'
  /** Sticky at the right edge during horizontal scroll. */
  readonly isPinned?: boolean
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly DataColumn<Row>[]
  /** Undefined during the first load. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  /** Empty state. */
  readonly empty: ReactNode
  /** Shows previous rows while the next ones load. */
  readonly isStale?: boolean
  /** Height of the loading skeleton, in rows. */
  readonly expectedRows?: number
  readonly className?: string
}
