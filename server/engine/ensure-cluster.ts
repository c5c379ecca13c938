// Creates the data directory of the embedded PostgreSQL atomically.
import { randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { superuser } from './application-role.ts'
import { renameDurably } from './write-file-durably.ts'
import { machineForbids, makePrivate, UnsupportedPlatformError, needsDescriptor, supervise, type OsUser } from './os-user.ts'

/** Of the PostgreSQL that this version of Tezi brings. */
export const majorVersion = '18'
const initTimeoutMs = 120_000

/** Returns the data directory, created on first use. An interrupted start leaves only a `new-` folder, which is removed here. */
export async function ensureCluster(options: {
  homeDir: string
  program: string
  owner: OsUser
  log: (line: string) => void
  /** False for data that may be lost in a system crash. */
  isFlushed: boolean
}): Promise<string> {
  const { homeDir, program, owner, log, isFlushed } = options
  for (const name of await readdir(homeDir)) {
    // The initdb of a killed start may still be writing; its files are removed the next time.
    if (name.startsWith('new-')) await rm(join(homeDir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
  const dataDir = join(homeDir, 'data')
  const version = await clusterVersion(dataDir)
  if (version === majorVersion) return dataDir
  if (version !== undefined)
    throw new Error(
      `${dataDir} was made by PostgreSQL ${version}; this version of Tezi brings ${majorVersion}. ` +
        (Number(version) < Number(majorVersion)
          ? 'Run npx tezi upgrade-database: docs/operating/database.md#major-versions-of-postgresql'
          : 'Start the newer version of Tezi'),
    )
  log('making the database for the first time')
  const fresh = join(homeDir, `new-${randomUUID().slice(0, 8)}`)
  makePrivate(fresh, owner)
  const byDescriptor = needsDescriptor(owner, fresh)
  const directories = byDescriptor ? [openSync(fresh, 'r')] : []
  try {
    await runInitdb({ program, owner, isFlushed, directories, target: byDescriptor ? '/proc/self/fd/3' : fresh })
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw error
  } finally {
    directories.forEach((descriptor) => closeSync(descriptor))
  }
  // If required, initdb has flushed every file and folder by now.
  await renameDurably(fresh, dataDir)
  return dataDir
}

/** Major version that made a data directory; undefined if there is none. */
export const clusterVersion = (dataDir: string): Promise<string | undefined> =>
  readFile(join(dataDir, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )

async function runInitdb(options: {
  program: string
  owner: OsUser
  isFlushed: boolean
  directories: number[]
  target: string
}): Promise<void> {
  const characters = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const run = supervise(
    [
      join(options.program, 'bin', 'initdb'),
      `--pgdata=${options.target}`,
      `--username=${superuser}`,
      '--auth-local=peer',
      '--auth-host=reject',
      '--encoding=UTF8',
      '--no-instructions',
      ...(options.isFlushed ? [] : ['--no-sync']),
      // With the C character type, trigram search would not match any letter of a Hindi name.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${characters}`,
    ],
    { owner: options.owner, directories: options.directories, errorsTo: 'pipe' },
  )
  let errors = ''
  run.child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const timer = setTimeout(() => run.stop(), initTimeoutMs)
  const status = await run.ended.finally(() => clearTimeout(timer))
  run.stop()
  if (status === 0) return
  const reason =
    errors
      .split('\n')
      .find((line) => /error|fatal|could not/i.test(line))
      ?.trim() ?? `initdb ended with ${status}`
  // Other failures (a full disk, a signal) do not mean that the machine is unsupported.
  if (machineForbids.test(errors)) throw new UnsupportedPlatformError(`initdb failed: ${reason}`)
  throw new Error(`the database could not be made: ${reason}`)
}
