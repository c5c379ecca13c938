// What the main thread and the PGlite thread say to each other.

export interface WorkerStart {
  readonly directory: string
}

export type ToWorker = { readonly query: string; readonly parameters: readonly unknown[] } | { readonly close: true }

export interface QueryAnswer {
  readonly rows: readonly Record<string, unknown>[]
  readonly affectedRows: number
}

/** Fields of a database error that services look at. */
export type QueryFailure = Readonly<Record<'message', string>> &
  Readonly<Partial<Record<'code' | 'detail' | 'constraint' | 'table' | 'column' | 'severity', string>>>

export type FromWorker =
  | { readonly ready: true; readonly syncs: number }
  | { readonly failed: string }
  | { readonly answer: QueryAnswer }
  | { readonly failure: QueryFailure }
  | { readonly closed: true }
