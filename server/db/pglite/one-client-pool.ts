// A `pg` pool of one: callers take turns on the PGlite thread, which is replaced when a query had to be cut off.
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { startThread, type PgliteThread } from './client.ts'

interface Result {
  readonly command: string
  readonly rowCount: number
  readonly rows: readonly Record<string, unknown>[]
}

/** PGlite has one session, so two callers at once would see each other's transaction. */
export class OneClientPool implements Pick<PostgresPool, 'connect' | 'end'> {
  readonly options: PostgresPool['options'] = {}
  readonly #directory: string
  #thread: PgliteThread
  #turn: Promise<void> = Promise.resolve()
  #ended = false

  constructor(directory: string, thread: PgliteThread) {
    this.#directory = directory
    this.#thread = thread
  }

  async connect(): Promise<PostgresPoolClient> {
    const before = this.#turn
    const { promise, resolve: release } = Promise.withResolvers<void>()
    this.#turn = promise
    await before
    try {
      if (this.#ended) throw new Error('the database is closed')
      if (this.#thread.isGone()) this.#thread = await startThread(this.#directory)
      // Kysely's type also wants cursors, which nobody here asks for.
      return new OneClient(this.#thread, release) as unknown as PostgresPoolClient
    } catch (error) {
      release()
      throw error
    }
  }

  async end(): Promise<void> {
    const last = this.#turn
    this.#ended = true
    await last
    await this.#thread.close()
  }
}

class OneClient {
  readonly #thread: PgliteThread
  readonly #giveBack: () => void
  #failed = false
  #limitMs: number | undefined

  constructor(thread: PgliteThread, giveBack: () => void) {
    this.#thread = thread
    this.#giveBack = giveBack
  }

  async query(text: string, parameters: readonly unknown[] = []): Promise<Result> {
    const verb = commandOf(text)
    // A migration lifts the limit for its transaction, the same way as on the other engines.
    const lifted = /^\s*set local statement_timeout = (\d+)/i.exec(text)?.[1]
    if (lifted !== undefined) this.#limitMs = Number(lifted)
    // The transaction went with the thread; failing here would hide the reason.
    if (verb === 'ROLLBACK' && this.#thread.isGone()) return { command: verb, rowCount: 0, rows: [] }
    try {
      const answer = await this.#thread.query(text, parameters.map(asParameter), this.#limitMs)
      if (verb === 'ROLLBACK') this.#failed = false
      // PostgreSQL answers COMMIT with ROLLBACK when the transaction had failed.
      const command = verb === 'COMMIT' && this.#failed ? 'ROLLBACK' : verb
      return { command, rowCount: answer.affectedRows, rows: answer.rows.map(withBuffers) }
    } catch (error) {
      this.#failed = true
      throw error
    }
  }

  /** `destroy`: the session is in an unknown state, so the thread goes too. */
  release(destroy = false): void {
    if (destroy) void this.#thread.close().finally(this.#giveBack)
    else this.#giveBack()
  }
}

/** The word PostgreSQL reports for a statement, which PGlite keeps to itself. */
function commandOf(text: string): string {
  const first = (/\w+/.exec(text)?.[0] ?? '').toUpperCase()
  if (first !== 'WITH') return first
  return (/\b(insert\s+into|update|delete\s+from|merge\s+into)\b/i.exec(text)?.[0].split(/\s/)[0] ?? 'select').toUpperCase()
}

const asParameter = (value: unknown): unknown => (value === undefined ? null : value)

/** Bytes cross the thread border as plain arrays; `pg` gives buffers. */
function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row)
  if (!entries.some(([, value]) => value instanceof Uint8Array)) return row
  return Object.fromEntries(entries.map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value) : value]))
}
