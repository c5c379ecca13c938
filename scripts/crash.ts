// Proves that kill -9 loses nothing: under sign-ups, and during the very first start. Run: node scripts/crash.ts --kills 100 --first-starts 30
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '#server/db/open-database.ts'
import { enginePids } from './engine-pids.ts'
import { endProcess, signIn, signUp, spawnServer, startServer } from './server-process.ts'

const callersAtOnce = 8
const readyMsMax = 5000
const signInSample = 40

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' }, 'first-starts': { type: 'string', default: '30' } } })
const root = await mkdtemp(path.join(tmpdir(), 'tezi-crash-'))
const problems: string[] = []
const table: Record<string, string | number> = {}

try {
  await killUnderLoad(Number(values.kills))
  await killFirstStarts(Number(values['first-starts']))
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}
console.table(table)
for (const problem of problems) console.log(problem)
if (problems.length > 0) process.exit(1)

/** Every second time only the server dies and PostgreSQL sees its pipe close; in between PostgreSQL dies with it. */
async function killUnderLoad(kills: number): Promise<void> {
  const dataDir = path.join(root, 'load')
  const acknowledged: string[] = []
  const starts: number[] = []
  let number = 0
  for (let round = 0; round < kills; round += 1) {
    const server = await startServer(dataDir)
    if (round > 0) starts.push(server.readyMs)
    const end = { isNear: false }
    const call = async (): Promise<void> => {
      while (!end.isNear) {
        const email = `person${(number += 1)}@crash.example`
        if (await signUp(server.address, email)) acknowledged.push(email)
      }
    }
    const callers = Array.from({ length: callersAtOnce }, call)
    await delay(50 + Math.random() * 1000)
    const engine = round % 2 === 0 ? [] : enginePids(path.join(dataDir, 'postgres', 'data'))
    for (const pid of engine) kill(pid)
    const gone = server.end('SIGKILL')
    end.isNear = true
    await gone
    await Promise.all(callers)
    process.stdout.write(`\r${round + 1} of ${kills} kills, ${acknowledged.length} accounts acknowledged `)
  }
  process.stdout.write('\n')
  const server = await startServer(dataDir)
  starts.push(server.readyMs)
  const sample = Array.from(
    { length: Math.min(signInSample, acknowledged.length) },
    () => acknowledged[Math.floor(Math.random() * acknowledged.length)] ?? '',
  )
  const refused: string[] = []
  for (const email of sample) if (!(await signIn(server.address, email))) refused.push(email)
  await server.end('SIGTERM')

  const found = await readAccounts(dataDir)
  const lost = acknowledged.filter((email) => !found.has(email))
  starts.sort((a, b) => a - b)
  Object.assign(table, {
    'kills under sign-ups': kills,
    'accounts acknowledged': acknowledged.length,
    'accounts lost': lost.length,
    'sign-ins tried after the last start': sample.length,
    'sign-ins refused': refused.length,
    'restart to ready, middle, ms': Math.round(starts[Math.floor(starts.length / 2)] ?? 0),
    'restart to ready, worst, ms': Math.round(starts.at(-1) ?? 0),
    [`machine load over the last minutes, of ${availableParallelism()} cores`]: loadavg()[1]?.toFixed(1) ?? '',
  })
  if (acknowledged.length === 0) problems.push('No account was acknowledged, so nothing was proved.')
  if (lost.length > 0) problems.push(`Lost after an acknowledgement: ${lost.slice(0, 10).join(', ')}`)
  if (refused.length > 0) problems.push(`Sign-in refused: ${refused.slice(0, 10).join(', ')}`)
  const slow = starts.filter((ms) => ms > readyMsMax)
  if (slow.length > 0) problems.push(`${slow.length} restarts took longer than ${readyMsMax} ms.`)
}

async function killFirstStarts(count: number): Promise<void> {
  let healed = 0
  let worstMs = 0
  for (let round = 0; round < count; round += 1) {
    const dataDir = path.join(root, `first-${round}`)
    const first = spawnServer(dataDir)
    await delay(Math.random() * 2000)
    await endProcess(first.child, 'SIGKILL')
    try {
      const server = await startServer(dataDir)
      worstMs = Math.max(worstMs, server.readyMs)
      if (await signUp(server.address, 'first@crash.example')) healed += 1
      else problems.push(`First start ${round + 1}: the sign-up was refused.\n${server.output()}`)
      await server.end('SIGTERM')
    } catch (error) {
      problems.push(`First start ${round + 1}: ${error instanceof Error ? error.message : String(error)}`)
    }
    await rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
    process.stdout.write(`\r${round + 1} of ${count} interrupted first starts, ${healed} healed `)
  }
  process.stdout.write('\n')
  Object.assign(table, {
    'interrupted first starts': count,
    'healed by the next start': healed,
    'start after it, worst, ms': Math.round(worstMs),
  })
}

/** All emails, read past every index, after a check that the indexes know exactly the rows of their tables. */
async function readAccounts(dataDir: string): Promise<Set<string>> {
  const database = await openDatabase({ dataDir, log: () => {} })
  try {
    await sql`create extension if not exists amcheck`.execute(database.db)
    await sql`select bt_index_check(indexrelid, true) from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
      where relname like 'users%' and amname = 'btree'`.execute(database.db)
    const rows = await database.db.selectFrom('users').select('email').execute()
    return new Set(rows.map((row) => row.email))
  } finally {
    await database.close()
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
