// Random failures of two web processes, a gateway, PostgreSQL and Redis under load: acknowledged data is not lost, candles are
// correct, clients know when data is old, and everything recovers.
// Run: npx node lab/chaos.ts [--faults 200] [--seed 7] [--limit-minutes 60]
// Takes about three minutes without arguments. Every wait has a limit; exits with 1 if a target is missed.
// The full disk needs root, which mounts a small file system for PostgreSQL.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { seededRandom } from '#shared/base/seeded-random.ts'
import { demoInstrument } from '#server/features/market-data/feeds/demo-instrument.ts'
import { demoMarket } from '#server/features/market-data/feeds/demo-market.ts'
import { Drill, within } from './drill.ts'
import { Cluster, webNames } from './chaos/cluster.ts'
import { diskFull, faults, type Fault } from './chaos/faults.ts'
import { Watcher } from './chaos/watchers.ts'
import { call, openSession, signUp, Writers } from './chaos/writers.ts'

const watchersMax = 20
const callers = 8
const healMsMax = 10_000
const restMsMax = 2_000
const minuteMs = 60_000

const startHealMs = 60_000
/** A failure lasts for seconds, and PostgreSQL may need a while to start. */
const faultLimitMs = 60_000

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    'limit-minutes': { type: 'string', default: '60' },
  },
})
const drill = new Drill()
const random = seededRandom(Number(values.seed))
const { problems } = drill
const healed: { readonly name: string; readonly ms: number }[] = []

/** The last resort: reports what was found so far. Remaining processes end with this one's process group. */
const watchdog = setTimeout(
  () => {
    problems.push(`not over after ${values['limit-minutes']} minutes, during: ${during}`)
    drill.summarize()
    process.exit(1)
  },
  Number(values['limit-minutes']) * 60_000,
)
const disk = mountDisk()
let during = 'the start'
const cluster = await Cluster.start({ home: disk === undefined ? undefined : path.join(disk, 'postgres') })
const origins = { 'web 1': cluster.origin('web 1'), 'web 2': cluster.origin('web 2') }
const watchers: Watcher[] = []
for (let number = 0; number < watchersMax; number += 1) {
  const origin = origins[webNames[number % webNames.length] ?? 'web 1']
  const email = `watcher-${number}@chaos.example`
  await signUp(origin, email)
  watchers.push(new Watcher(origin, await openSession(origin, email), problems))
}
const writers = new Writers()
writers.start(origins, callers)
const checking = setInterval(() => watchers.forEach((watcher) => watcher.check(during)), 250)
await heal('the start', startHealMs)
drill.log('all are ready')

const all: readonly Fault[] = disk === undefined ? faults : [...faults, diskFull(disk)]
if (disk === undefined) drill.log('Not run: the full disk, because no file system can be mounted')
const count = Number(values.faults)
for (let number = 1; number <= count; number += 1) {
  // Each failure occurs once before any is repeated.
  const fault = number <= all.length ? all[number - 1] : all[Math.floor(random() * all.length)]
  if (fault === undefined) break
  during = fault.name
  const end = await within(faultLimitMs, `the beginning of ${fault.name}`, fault.begin(cluster))
  await within(faultLimitMs, `the end of ${fault.name}`, end())
  await heal(fault.name, healMsMax)
  await delay(random() * restMsMax)
  drill.log(`${number} of ${count}: ${fault.name}, healed in ${healed.at(-1)?.ms} ms; ${problems.length} problems`)
}
clearInterval(checking)
await writers.stop()
checkCandles()
const lost = await findLost()
problems.push(...cluster.unexpected.map((end) => `not killed: ${end}`))
for (const watcher of watchers) watcher.stop()
await cluster.stop()
unmountDisk()

const worst = new Map<string, number>()
for (const { name, ms } of healed) if (name !== 'the start') worst.set(name, Math.max(ms, worst.get(name) ?? 0))
console.table([...worst].map(([fault, ms]) => ({ fault, 'worst time to heal, ms': ms })))
Object.assign(drill.figures, {
  faults: count,
  'writes acknowledged': writers.acknowledged.length,
  statuses: [...writers.statuses].map(([status, times]) => `${status}: ${times}`).join(', '),
  subscriptions: watchers.length * 3,
})
drill.goals.push(
  { text: 'acknowledged writes', figure: writers.acknowledged.length, min: 1 },
  { text: 'acknowledged writes lost', figure: lost.length, max: 0 },
  { text: 'answers of 5xx other than 503 with Retry-After', figure: writers.badAnswers.length, max: 0 },
  { text: 'worst time to heal, ms', figure: Math.max(...worst.values()), max: healMsMax },
  { text: 'gaps, doubles, wrong candles, old data shown as live, processes gone', figure: problems.length, max: 0 },
)
const first = [...new Set([...problems, ...writers.badAnswers])].slice(0, 40)
problems.splice(0, Infinity, ...first)
clearTimeout(watchdog)
process.exit(drill.summarize() ? 0 : 1)

/** Waits until every client has live data newer than the end of the fault, and both web processes are ready and accept writes. */
async function heal(name: string, limitMs: number): Promise<void> {
  const fromMs = performance.now()
  let isReported = false
  for (;;) {
    const old = watchers.filter((watcher) => !watcher.isCurrent(fromMs)).length
    const ready = await Promise.all(Object.values(origins).map((origin) => call(`${origin}/readyz`, 'GET')))
    const ms = Math.round(performance.now() - fromMs)
    if (old === 0 && ready.every(({ status }) => status === 200)) {
      healed.push({ name, ms })
      return
    }
    if (ms > limitMs && !isReported) {
      isReported = true
      problems.push(`${name}: not healed after ${limitMs} ms: ${old} old clients, readyz ${ready.map(({ status }) => status).join(' ')}`)
    }
    if (ms > 6 * limitMs) {
      for (const part of [...webNames, 'gateway'] as const) console.log(`--- ${part}\n${cluster.output(part).slice(-3000)}`)
      throw new Error(`${name} never healed`)
    }
    await delay(50)
  }
}

/** Compares the closed minutes of every client with the demo market. */
function checkCandles(): void {
  const instrument = demoInstrument('nifty')
  if (instrument === undefined) throw new Error('The demo has no nifty')
  const toMs = Math.floor(Date.now() / minuteMs - 1) * minuteMs
  const market = demoMarket(instrument, 'tezi')
  for (const watcher of watchers) {
    const rows = [...(watcher.subscriptions.get('1')?.candles.values() ?? [])].filter(([stamp]) => stamp + minuteMs <= toMs)
    const stamps = rows.map(([stamp]) => stamp).toSorted((one, other) => one - other)
    const truth = new Map(market.candles('1m', stamps[0] ?? 0, toMs).map((candle) => [candle.timeMs, candle]))
    const missing = [...truth.keys()].filter((timeMs) => !stamps.includes(timeMs))
    if (missing.length > 0)
      problems.push(
        `client ${watchers.indexOf(watcher)}: ${missing.length} of ${truth.size} minutes are missing, the first is ${new Date(missing[0] ?? 0).toISOString()}`,
      )
    for (const [stamp, open, high, low, close] of rows) {
      const right = truth.get(stamp)
      if (right !== undefined && (right.open !== open || right.high !== high || right.low !== low || right.close !== close))
        problems.push(`wrong candle of ${new Date(stamp).toISOString()}: ${open} ${high} ${low} ${close}`)
    }
  }
}

async function findLost(): Promise<string[]> {
  const client = new Client({ connectionString: cluster.postgres.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ email: string }>('select email from users')
  await client.end()
  const found = new Set(rows.map(({ email }) => email))
  return writers.acknowledged.filter((email) => !found.has(email))
}

/** A file system of 400 MB for PostgreSQL's folder; undefined if this user may not mount one. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'tezi-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=1777', 'tmpfs', folder])
  if (status === 0) {
    mkdirSync(path.join(folder, 'postgres'))
    return folder
  }
  rmSync(folder, { recursive: true })
  return undefined
}

function unmountDisk(): void {
  if (disk === undefined) return
  spawnSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true, force: true })
}
