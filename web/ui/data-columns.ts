// What a table is told about its columns and rows, whichever way it draws them.
import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly head: string
  readonly cell: (row: Row, index: number) => ReactNode
  /** Stands in the head instead of its plain text, such as a sort toggle. */
  readonly headContent?: ReactNode
  readonly sorted?: 'ascending' | 'descending' | 'none'
  /** Width and alignment of the column. */
  readonly className?: string
  /** Where the value stands on a card: its headline, the buttons at its foot, or a labelled value, `wide` over the whole width. */
  readonly card?: 'title' | 'actions' | 'line' | 'wide'
  /** Stays at the right edge while the rest scrolls sideways. */
  readonly isPinned?: boolean
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while they are being loaded for the first time. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  /** Says that there are none. */
  readonly empty: ReactNode
  /** Rows of an earlier answer are shown while the next one is on its way. */
  readonly isStale?: boolean
  /** Height of the drawing of loading, in rows. */
  readonly expectedRows?: number
  readonly className?: string
}
