// A server with backups as an operator runs it, for the drills that lose it: sign-ups, commands, and what a restore brought back.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { listArchives, type Archive } from '#server/backup/backup-folder.ts'
import { openDatabase } from '#server/open-database.ts'
import { signUp, startServer, type ServerProcess } from '../server-process.ts'

const waitMs = 180_000
const log = (): void => {}

export interface Outcome {
  readonly code: number | null
  readonly output: string
}

export class BackupSite {
  readonly root: string
  readonly dataDir: string
  readonly backupDir: string
  /** Addresses of all acknowledged accounts. */
  readonly acknowledged: string[] = []
  server: ServerProcess | undefined
  readonly #prefix: string
  #moved = 0

  private constructor(root: string, name: string) {
    this.root = root
    this.dataDir = path.join(root, 'data')
    this.backupDir = path.join(root, 'backups')
    this.#prefix = name
  }

  static async create(name: string): Promise<BackupSite> {
    const root = await mkdtemp(path.join(tmpdir(), `tezi-drill-${name}-`))
    // Accessible to the unprivileged user that runs PostgreSQL.
    await chmod(root, 0o755)
    return new BackupSite(root, name)
  }

  get environment(): Record<string, string> {
    return {
      MARKET_SOURCES: 'none',
      PASSWORD_HASHES: 'cheap',
      BACKUP_DIR: this.backupDir,
      BACKUP_KEY: Buffer.alloc(32, 9).toString('base64'),
    }
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.server = await startServer(this.dataDir, { environment: { ...this.environment, ...environment } })
  }

  /** Resolves when PostgreSQL is gone too: it survives a killed server for a moment, and writes to the path of its folder. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.server === undefined) return
    const pid = Number((await readFile(path.join(this.dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])
    await this.server.end(signal)
    this.server = undefined
    while (isRunning(pid)) await delay(50)
  }

  /** Creates accounts one after the other. @throws Error if one is not acknowledged */
  async signUp(count: number, keep = true): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      const email = `${this.#prefix}-${this.acknowledged.length}-${keep ? 'kept' : number}@drill.example`
      if (!(await signUp(this.server?.address ?? '', email))) throw new Error(`the account ${email} was not acknowledged`)
      if (keep) this.acknowledged.push(email)
    }
  }

  /** Takes the data folder away, as a lost disk or step 2 of the page does. */
  async loseData(): Promise<string> {
    this.#moved += 1
    const lost = `${this.dataDir}-lost-${this.#moved}`
    await rename(this.dataDir, lost)
    return lost
  }

  /** The newest archive, once `isReached` holds for one of them. */
  async untilArchived(what: string, isReached: (archive: Archive) => boolean): Promise<Archive> {
    const beginMs = performance.now()
    for (;;) {
      const found = (await listArchives(this.backupDir)).findLast(isReached)
      if (found !== undefined) return found
      if (performance.now() - beginMs > waitMs) throw new Error(`${what} took too long:\n${this.server?.output().slice(-1_500)}`)
      await delay(100)
    }
  }

  /** Everything that is acknowledged now is in the backup folder, with a base backup before it. */
  async untilCopied(): Promise<void> {
    const atMs = Date.now()
    await this.untilArchived('copying the WAL', ({ bases, wal }) => bases.length > 0 && (wal.at(-1)?.atMs ?? 0) > atMs)
  }

  /** Runs `npx tezi` with these arguments. */
  async tezi(...args: readonly string[]): Promise<Outcome> {
    const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../scripts/tezi.ts'), ...args], {
      env: { PATH: process.env['PATH'], ENV_FILE: 'none', DATA_DIR: this.dataDir, ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    // Not 'exit', which may come before the last output.
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }

  /** Acknowledged accounts that the restored database lacks. */
  async missing(): Promise<string[]> {
    const database = await openDatabase({ dataDir: this.dataDir, log })
    try {
      const rows = await database.db.selectFrom('users').select('email').execute()
      const found = new Set(rows.map(({ email }) => email))
      return this.acknowledged.filter((email) => !found.has(email))
    } finally {
      await database.close()
    }
  }

  async close(): Promise<void> {
    await this.stop('SIGKILL')
    await rm(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Changes one byte in the middle of a file. */
export async function damage(file: string): Promise<void> {
  const content = await readFile(file)
  const at = Math.floor(content.length / 2)
  content[at] = (content[at] ?? 0) ^ 1
  await writeFile(file, content)
}
