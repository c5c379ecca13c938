// Proves that kill -9 loses nothing: under sign-ups, in each phase of the first start, and during the start after a kill.
// Run: npx node lab/crash.ts [--kills 60 --first-starts 40 --unclean-starts 40] [--seed 1] [--limit-minutes 60]
// Takes about three minutes without arguments. Every wait has a limit; exits with 1 if anything was lost or late.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openPostmaster } from '#server/engine/postmaster.ts'
import { seededRandom } from '#shared/base/seeded-random.ts'
import { Drill, within } from './drill.ts'
import { enginePids } from './engine-pids.ts'
import { endProcess, hasEnded, signIn, signUp, spawnServer, startServer, type ServerProcess } from './server-process.ts'

const callersAtOnce = 8
const readyMsMax = 5_000
const signInSample = 40
/** A busy machine may take long; the times are reported. */
const startLimitMs = 120_000
const readLimitMs = 120_000
/** Maximum of a server's last output in a problem. */
const outputMax = 1_000

/** Server output that marks the start of each phase of its first start. */
const phases = [
  ['before initdb', ''],
  ['initdb', 'making the database for the first time'],
  ['first migration', 'database changed: 0001'],
  ['later migrations', 'database changed: 0004'],
  ['after migrations', 'ready at'],
] as const
const phaseMs = 250

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    'first-starts': { type: 'string', default: '10' },
    'unclean-starts': { type: 'string', default: '10' },
    /** Seed of the random kill times. */
    seed: { type: 'string', default: '1' },
    'limit-minutes': { type: 'string', default: '60' },
  },
})
const root = await mkdtemp(path.join(tmpdir(), 'tezi-crash-'))
const random = seededRandom(Number(values.seed))
const drill = new Drill()
const starts: number[] = []

/** The last resort: reports what was found so far. */
const watchdog = setTimeout(
  () => {
    drill.problems.push(`not over after ${values['limit-minutes']} minutes`)
    drill.summarize()
    process.exit(1)
  },
  Number(values['limit-minutes']) * 60_000,
)
try {
  await killUnderLoad(Number(values.kills))
  await killFirstStarts(Number(values['first-starts']))
  await killUncleanStarts(Number(values['unclean-starts']))
} finally {
  clearTimeout(watchdog)
  await drill.round('removing the folder', () => remove(root))
}
starts.sort((one, other) => one - other)
// Without any restart the target is missed.
const [median = Number.NaN, worst = Number.NaN] = [starts[Math.floor(starts.length / 2)], starts.at(-1)]
if (starts.length > 0)
  Object.assign(drill.figures, { 'restart to ready, median, ms': Math.round(median), 'restart to ready, worst, ms': Math.round(worst) })
if (Number(values.kills) + Number(values['unclean-starts']) > 0)
  drill.goals.push({ text: 'worst restart to ready after a kill, ms', figure: Math.round(worst), max: readyMsMax })
process.exitCode = drill.summarize() ? 0 : 1

/** Alternately only the server dies and PostgreSQL sees its pipe close, or PostgreSQL dies with it. */
async function killUnderLoad(kills: number): Promise<void> {
  const dataDir = path.join(root, 'load')
  const acknowledged: string[] = []
  let number = 0
  let killed = 0
  for (let round = 0; round < kills; round += 1) {
    await drill.round(`kill ${round + 1}`, async () => {
      const server = await startServer(dataDir, { limitMs: startLimitMs })
      if (round > 0) starts.push(server.readyMs)
      const end = { isNear: false }
      const call = async (): Promise<void> => {
        while (!end.isNear) {
          const email = `person${(number += 1)}@crash.example`
          if (await signUp(server.address, email)) acknowledged.push(email)
        }
      }
      const before = acknowledged.length
      const callers = Array.from({ length: callersAtOnce }, call)
      // On a busy machine the first response takes long, and a kill before it proves little.
      await until(() => acknowledged.length > before)
      await delay(random() * 1_000)
      await kill(server, round % 2 === 0 ? [] : enginePids(clusterOf(dataDir)), () => (end.isNear = true))
      await Promise.all(callers)
      killed += 1
      drill.log(`kill ${round + 1} of ${kills}: ready after ${Math.round(server.readyMs)} ms, ${acknowledged.length} accounts acknowledged`)
    })
  }
  if (kills === 0) return
  const refused = await drill.round('sign-ins after the last kill', () => signInSome(dataDir, acknowledged))
  const lost = await drill.round('accounts after the last kill', () => findLost(dataDir, acknowledged))
  Object.assign(drill.figures, { 'kills under sign-ups': killed, 'accounts acknowledged': acknowledged.length })
  drill.goals.push(
    { text: 'kills under sign-ups', figure: killed, min: kills },
    { text: 'accounts acknowledged beside the kills', figure: acknowledged.length, min: 1 },
    { text: 'acknowledged accounts lost', figure: lost?.length ?? Number.NaN, max: 0 },
    { text: 'sign-ins refused afterwards', figure: refused?.length ?? Number.NaN, max: 0 },
  )
}

/** Each phase in turn, at a random moment. */
async function killFirstStarts(count: number): Promise<void> {
  let healed = 0
  const hits = new Map<string, number>()
  for (let round = 0; round < count; round += 1) {
    const dataDir = path.join(root, `first-${round}`)
    const [phase, printed] = phases[round % phases.length] ?? phases[0]
    await drill.round(`first start ${round + 1}, ${phase}`, async () => {
      const first = spawnServer(dataDir)
      try {
        await until(() => first.output().includes(printed) || hasEnded(first.child))
        if (!first.output().includes(printed)) throw new Error(`the phase never began:\n${first.output().slice(-outputMax)}`)
        await delay(random() * phaseMs)
      } finally {
        await endProcess(first.child, 'SIGKILL')
      }
      hits.set(phase, (hits.get(phase) ?? 0) + 1)
      const ms = await heal(dataDir, 'first@crash.example')
      healed += 1
      drill.log(`first start ${round + 1} of ${count} killed, ${phase}: the next one was ready after ${ms} ms`)
    })
    await drill.round('removing a folder', () => remove(dataDir))
  }
  if (count === 0) return
  drill.figures['phases of first starts'] = [...hits].map(([phase, times]) => `${phase} ${times}`).join(', ')
  drill.goals.push({ text: 'killed first starts that the next start healed', figure: healed, min: count })
}

/** Kills server and PostgreSQL under load, and then the server while it recovers from that. */
async function killUncleanStarts(count: number): Promise<void> {
  const dataDir = path.join(root, 'unclean')
  const acknowledged: string[] = []
  let healed = 0
  for (let round = 0; round < count; round += 1) {
    await drill.round(`unclean start ${round + 1}`, async () => {
      const server = await startServer(dataDir, { limitMs: startLimitMs })
      const emails = Array.from({ length: callersAtOnce }, (_, caller) => `unclean-${round}-${caller}@crash.example`)
      const signedUp = Promise.all(emails.map(async (email) => ((await signUp(server.address, email)) ? acknowledged.push(email) : 0)))
      await delay(random() * 300)
      await kill(server, enginePids(clusterOf(dataDir)))
      await signedUp
      const second = spawnServer(dataDir)
      await delay(random() * 1_000)
      await endProcess(second.child, 'SIGKILL')
      const ms = await heal(dataDir, `healed-${round}@crash.example`)
      starts.push(ms)
      healed += 1
      drill.log(`unclean start ${round + 1} of ${count} killed: the next one was ready after ${ms} ms`)
    })
  }
  if (count === 0) return
  const lost = await drill.round('accounts after the unclean starts', () => findLost(dataDir, acknowledged))
  drill.figures['accounts acknowledged before unclean starts'] = acknowledged.length
  drill.goals.push(
    { text: 'killed starts after a kill that the next start healed', figure: healed, min: count },
    { text: 'their acknowledged accounts lost', figure: lost?.length ?? Number.NaN, max: 0 },
  )
}

async function kill(server: ServerProcess, engine: readonly number[], atOnce: () => void = () => undefined): Promise<void> {
  for (const pid of engine) killPid(pid)
  const gone = server.end('SIGKILL')
  atOnce()
  await gone
}

/** Starts the server, adds an account and stops it; returns the time to ready. */
async function heal(dataDir: string, email: string): Promise<number> {
  const server = await startServer(dataDir, { limitMs: startLimitMs })
  try {
    if (!(await signUp(server.address, email))) throw new Error(`the sign-up was refused:\n${server.output().slice(-outputMax)}`)
  } finally {
    await server.end('SIGTERM')
  }
  return Math.round(server.readyMs)
}

/** Accounts of a sample that cannot sign in. */
async function signInSome(dataDir: string, emails: readonly string[]): Promise<string[]> {
  const server = await startServer(dataDir, { limitMs: startLimitMs })
  starts.push(server.readyMs)
  try {
    const sample = Array.from({ length: Math.min(signInSample, emails.length) }, () => emails[Math.floor(random() * emails.length)] ?? '')
    const refused: string[] = []
    for (const email of sample) if (!(await signIn(server.address, email))) refused.push(email)
    if (refused.length > 0) drill.problems.push(`sign-in refused: ${refused.slice(0, 10).join(', ')}`)
    return refused
  } finally {
    await server.end('SIGTERM')
  }
}

/** Bypasses all indexes, after a check that they match their tables exactly; only a superuser may check. */
async function findLost(dataDir: string, acknowledged: readonly string[]): Promise<string[]> {
  const engine = await within(readLimitMs, 'opening the database', openPostmaster({ dataDir, log: () => {} }))
  try {
    const client = new Client({ ...engine.maintenance, query_timeout: readLimitMs })
    await client.connect()
    await client.query('create extension if not exists amcheck')
    await client.query(`select bt_index_check(indexrelid, true) from pg_index join pg_class on pg_class.oid = indexrelid
      join pg_am on pg_am.oid = relam where relname like 'users%' and amname = 'btree'`)
    const { rows } = await client.query<{ email: string }>('select email from users')
    await client.end()
    const found = new Set(rows.map(({ email }) => email))
    const lost = acknowledged.filter((email) => !found.has(email))
    if (lost.length > 0) drill.problems.push(`lost after an acknowledgement: ${lost.slice(0, 10).join(', ')}`)
    return lost
  } finally {
    await within(readLimitMs, 'closing the database', engine.stop())
  }
}

function clusterOf(dataDir: string): string {
  return path.join(dataDir, 'postgres', 'data')
}

/** Waits up to the time limit of a start. */
async function until(isTrue: () => boolean): Promise<void> {
  const endMs = performance.now() + startLimitMs
  while (!isTrue() && performance.now() < endMs) await delay(1)
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}

function killPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
