// The list of erased accounts of a database that other tools back up. It is outside the database, so that a restore can erase them again.
import { appendFile, readFile } from 'node:fs/promises'
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import type { Erasure } from './erase-account.ts'

/** Far longer than the file can be out of reach; no query reads all erasures every minute. */
const lookBackMs = 60 * dayMs

/** One line for each erasure: its time and the id of the account. */
export class ErasuresFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** @throws Error with a sentence for the operator if the file is missing, cannot be read or has a line that is no erasure */
  async read(): Promise<readonly Erasure[]> {
    const text = await this.#text()
    if (text === undefined)
      throw new Error(
        `ERASURES_FILE ${this.#path} is missing. Is its disk mounted? If no account was erased since the backup, make an empty file`,
      )
    const lines = text.split('\n').filter((line) => line !== '')
    return lines.map((line) => {
      const [, at = '', userId] = /^(\S+) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(line) ?? []
      const atMs = Date.parse(at)
      if (userId === undefined || Number.isNaN(atMs)) throw new Error(`ERASURES_FILE ${this.#path} has a line that is no erasure: ${line}`)
      return { userId, atMs }
    })
  }

  /**
   * Adds the erasures of the database that the file lacks. Those of the file stay: a restored database lacks them.
   * @param nowMs wall clock, epoch milliseconds
   */
  async addFrom(db: Db, nowMs: number): Promise<void> {
    const text = await this.#text()
    const since = text === undefined ? 0 : nowMs - lookBackMs
    const rows = await db.selectFrom('erasures').select(['user_id', 'at']).where('at', '>=', new Date(since)).orderBy('at').execute()
    const missing = rows.filter((row) => text?.includes(row.user_id) !== true)
    if (missing.length === 0 && text !== undefined) return
    // A crash can have cut the last line off.
    const begin = text === undefined || text === '' || text.endsWith('\n') ? '' : '\n'
    const lines = missing.map((row) => `${row.at.toISOString()} ${row.user_id}\n`)
    await appendFile(this.#path, begin + lines.join(''), { mode: 0o600, flush: true })
  }

  #text(): Promise<string | undefined> {
    return readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
  }
}
