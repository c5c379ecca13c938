// Restarts two web processes one after the other under load: no request may fail, and every page is live again within seconds.
// Run: node lab/drills/rolling.ts [--requests 200] [--sockets 2000]
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '#server/open-database.ts'
import { addSessions } from '../bench/many-sessions.ts'
import { machineMs, processorMs } from '../bench/processor-time.ts'
import { Cluster, webNames, type WebName } from '../chaos/cluster.ts'
import { Drill, within } from '../drill.ts'
import type { RollingReport } from './rolling-clients.ts'

const { values } = parseArgs({ options: { requests: { type: 'string', default: '200' }, sockets: { type: 'string', default: '2000' } } })
const offlineMsMax = 3_000
const calmMs = 10_000

const drill = new Drill()
const cluster = await Cluster.start({ settings: () => ({ DRAIN_SECONDS: '3', TRUSTED_PROXIES: '127.0.0.1' }) })
const database = await openDatabase({ dataDir: cluster.folder, databaseUrl: cluster.postgres.databaseUrl, log: () => {} })
const children: ChildProcess[] = []
/** Ports that the balancer uses. */
let healthy: readonly number[] = []
try {
  const sessionsFile = path.join(cluster.folder, 'sessions.json')
  writeFileSync(sessionsFile, JSON.stringify(await addSessions(database.db, Number(values.sockets))))
  const site = start(
    'balancer',
    webNames.map((name) => String(cluster.ports.get(name))),
  )
  const [origin] = (await once(site, 'message')) as [string]
  site.on('message', (ports: number[]) => (healthy = ports))
  const clients = start('rolling-clients', [origin, values.requests, sessionsFile])
  await within(180_000, 'opening all pages', once(clients, 'message'))
  drill.log(`${values.sockets} pages are live`)
  await delay(calmMs)
  const used = { machine: machineMs(), clients: processorMs(clients.pid), balancer: processorMs(site.pid) }
  for (const name of webNames) await restart(name)
  noteProcessor('the machine', machineMs() - used.machine)
  noteProcessor('the clients', processorMs(clients.pid) - used.clients)
  noteProcessor('the balancer', processorMs(site.pid) - used.balancer)
  const answer = once(clients, 'message')
  clients.send('stop')
  const [report] = (await within(60_000, 'the report', answer)) as [RollingReport]
  await judge(report)
} catch (error) {
  drill.problems.push(error instanceof Error ? error.message : String(error))
} finally {
  for (const child of children) child.kill()
  await database.close()
  await cluster.stop()
}
if (!drill.summarize()) process.exitCode = 1

function start(name: string, args: readonly string[]): ChildProcess {
  const child = fork(path.join(import.meta.dirname, `${name}.ts`), args)
  children.push(child)
  return child
}

/** As `systemctl restart`, then the wait for `/readyz` of the production page. */
async function restart(name: WebName): Promise<void> {
  const port = cluster.ports.get(name) ?? 0
  const beginMs = performance.now()
  const seconds = (): string => ((performance.now() - beginMs) / 1_000).toFixed(1)
  await cluster.end(name, 'SIGTERM')
  drill.figures[`${name}: stop, s`] = seconds()
  while (!healthy.includes(port)) await delay(50)
  drill.figures[`${name}: ready again, s`] = seconds()
  drill.log(`${name} is restarted`)
  await delay(calmMs)
}

function noteProcessor(whose: string, ms: number): void {
  drill.figures[`processor time of ${whose}, s`] = (ms / 1_000).toFixed(1)
}

async function judge({ failures, signedUp, notLive, ...report }: RollingReport): Promise<void> {
  const offlineMs = report.offlineMs.toSorted((one, other) => one - other)
  const latencyMs = report.latencyMs.toSorted((one, other) => one - other)
  const at = (sorted: readonly number[], part: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)
  const stored = await database.db.selectFrom('users').select('email').where('email', 'like', 'visitor-%@drill.example').execute()
  const emails = new Set(stored.map(({ email }) => email))
  Object.assign(drill.figures, {
    requests: latencyMs.length,
    'median of a request, ms': at(latencyMs, 0.5),
    'p99 of a request, ms': at(latencyMs, 0.99),
    'longest request, ms': at(latencyMs, 1),
    reconnections: offlineMs.length,
    'median without live data, ms': at(offlineMs, 0.5),
    'p99 without live data, ms': at(offlineMs, 0.99),
  })
  drill.problems.push(...cluster.unexpected, ...new Set(failures))
  drill.goals.push({ text: 'failed requests', figure: failures.length, max: 0 })
  drill.goals.push({ text: 'lost accounts', figure: signedUp.filter((email) => !emails.has(email)).length, max: 0 })
  drill.goals.push({ text: 'longest time without live data, ms', figure: at(offlineMs, 1), max: offlineMsMax })
  drill.goals.push({ text: 'pages that are not live', figure: notLive, max: 0 })
}
