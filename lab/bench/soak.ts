// Soak test: thousands of clients, a feed that is cut repeatedly, and users who come and go all the time.
// Usage: node lab/bench/soak.ts [minutes] [watchers] [leaving per second]      (default 15 2000 200)
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const minutes = Number(process.argv[2] ?? 15)
const watchers = Number(process.argv[3] ?? 2_000)
const leaving = Number(process.argv[4] ?? 200)
const swarms = 2
const sampleMs = 15_000

interface Sample {
  readonly rssMb: number
  readonly heapMb: number
  readonly connections: number
  readonly cuts: number
}

interface ClientsReport {
  readonly final: readonly string[]
  readonly reconnects: number
  readonly errors: readonly string[]
}

const server = fork(new URL('soak-server.ts', import.meta.url), [], { execArgv: ['--expose-gc'] })
const { port } = await answer<{ port: number }>(server)
const crowd = Array.from({ length: swarms }, () =>
  fork(new URL('soak-clients.ts', import.meta.url), [String(port), String(watchers / swarms), String(leaving / swarms)]),
)
await Promise.all(crowd.map((child) => answer(child)))

const samples: Sample[] = []
const endMs = Date.now() + minutes * 60_000
while (Date.now() < endMs) {
  await new Promise((resolve) => setTimeout(resolve, Math.min(sampleMs, endMs - Date.now())))
  server.send('sample')
  const sample = await answer<Sample>(server)
  samples.push(sample)
  console.log(`${String(Math.round((endMs - Date.now()) / 1000)).padStart(4)} s left  ${JSON.stringify(sample)}`)
}

for (const child of crowd) child.send('settle')
await Promise.all(crowd.map((child) => answer(child)))
server.send('freeze')
const truth = await answer<{ final: Readonly<Record<string, string>> }>(server)
await new Promise((resolve) => setTimeout(resolve, 2_000))
for (const child of crowd) child.send('report')
const reports = await Promise.all(crowd.map((child) => answer<ClientsReport>(child)))
for (const child of [server, ...crowd]) child.kill('SIGKILL')

const finals = reports.flatMap(({ final }) => final)
const right = new Set(Object.values(truth.final))
const wrong = finals.filter((state) => !right.has(state))
const errors = reports.flatMap((report) => report.errors)
// The first third fills caches and pools.
const steady = samples.slice(Math.floor(samples.length / 3))
const half = Math.floor(steady.length / 2)
const mean = (list: readonly Sample[], of: (sample: Sample) => number): number =>
  list.reduce((sum, sample) => sum + of(sample), 0) / list.length
console.table({
  watchers: finals.length,
  'final states that differ from the server': wrong.length,
  'errors seen by watchers': errors.length,
  reconnects: reports.reduce((sum, report) => sum + report.reconnects, 0),
  'feed cuts': samples.at(-1)?.cuts ?? 0,
  'RSS MB, first and second half': `${mean(steady.slice(0, half), ({ rssMb }) => rssMb).toFixed(0)} / ${mean(steady.slice(half), ({ rssMb }) => rssMb).toFixed(0)}`,
  'heap MB after GC, first and second half': `${mean(steady.slice(0, half), ({ heapMb }) => heapMb).toFixed(1)} / ${mean(steady.slice(half), ({ heapMb }) => heapMb).toFixed(1)}`,
})
if (wrong.length > 0) console.log('the server has', truth.final, 'a watcher has', wrong[0])
if (errors.length > 0) console.log(errors.slice(0, 5))
process.exit(wrong.length + errors.length === 0 ? 0 : 1)

async function answer<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, 'message')) as [T]
  return message
}
