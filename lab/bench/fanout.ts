// Thousands of sockets, each with a session and 1,500 candles: connecting them, and ticks, compared with a bare broadcast of the
// same ticks in one run; and how it scales.
// Usage: node lab/bench/fanout.ts [seconds] [sockets x instruments ...]      (default 30 seconds; 1000x1 5000x1 10000x1 500x1 5000x10)
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const seconds = Number(process.argv[2] ?? 30)
const cases = (process.argv.length > 3 ? process.argv.slice(3) : ['1000x1', '5000x1', '10000x1', '500x1', '5000x10']).map((text) => {
  const [count = 0, instruments = 1] = text.split('x').map(Number)
  return { count, instruments }
})
const rounds = 3
/** Clients are spread over processes, so that none of them is the bottleneck. */
const swarms = 2

interface ServerReport {
  readonly cpuMs: number
  readonly sentAt: Readonly<Record<string, number>>
  readonly rssBytes: number
  readonly rssBeforeBytes: number
  readonly connectCpuMs: number
}

interface Outcome {
  readonly cpuMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly delivered: number
  readonly bytesPerConnection: number
  readonly connectCpuMs: number
}

const rows: Record<string, Record<string, string | number>> = {}
for (const { count, instruments } of cases) {
  const bare: Outcome[] = []
  const ours: Outcome[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measure('bare', count, instruments))
    ours.push(await measure('tezi', count, instruments))
  }
  const middle = (list: readonly Outcome[]): Outcome =>
    list.toSorted((one, other) => one.cpuMs - other.cpuMs)[Math.floor(rounds / 2)] as Outcome
  const [one, other] = [middle(bare), middle(ours)]
  rows[`${count} sockets, ${instruments} instruments`] = {
    'bare CPU ms': Math.round(one.cpuMs),
    'tezi CPU ms': Math.round(other.cpuMs),
    ratio: (other.cpuMs / one.cpuMs).toFixed(2),
    'bare p50/p99 ms': `${one.p50Ms.toFixed(0)} / ${one.p99Ms.toFixed(0)}`,
    'tezi p50/p99 ms': `${other.p50Ms.toFixed(0)} / ${other.p99Ms.toFixed(0)}`,
    'tezi delivered %': (other.delivered * 100).toFixed(2),
    'connect CPU ms each, bare / tezi': `${(one.connectCpuMs / count).toFixed(2)} / ${(other.connectCpuMs / count).toFixed(2)}`,
    'bare kB per socket': (one.bytesPerConnection / 1024).toFixed(1),
    'tezi kB per socket': (other.bytesPerConnection / 1024).toFixed(1),
  }
  console.table(rows)
}

async function measure(kind: string, count: number, instruments: number): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tezi-bench-'))
  const server = fork(new URL('fanout-server.ts', import.meta.url), [kind, String(instruments), String(count), folder], {
    execArgv: ['--expose-gc'],
  })
  const { port } = await answer<{ port: number }>(server)
  const crowd = Array.from({ length: swarms }, (_, swarm) => {
    const part = path.join(folder, `sessions-${swarm}.json`)
    if (kind !== 'bare') writeFileSync(part, JSON.stringify(partOf(folder, swarm)))
    return fork(new URL('fanout-clients.ts', import.meta.url), [kind, String(port), String(count / swarms), String(instruments), part])
  })
  await Promise.all(crowd.map((child) => answer(child)))
  server.send({ seconds })
  const report = await answer<ServerReport>(server)
  for (const child of crowd) child.send('report')
  const received = await Promise.all(crowd.map((child) => answer<{ readonly arrivals: readonly (readonly [string, number])[] }>(child)))
  for (const child of crowd) child.kill('SIGKILL')
  server.send('stop')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  const delays = received
    .flatMap(({ arrivals }) => arrivals)
    .flatMap(([id, atMs]) => (report.sentAt[id] === undefined ? [] : [atMs - report.sentAt[id]]))
    .toSorted((one, other) => one - other)
  const at = (share: number): number => delays[Math.floor((delays.length - 1) * share)] ?? Number.NaN
  return {
    cpuMs: report.cpuMs,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    delivered: delays.length / (Object.keys(report.sentAt).length * count),
    connectCpuMs: report.connectCpuMs,
    bytesPerConnection: (report.rssBytes - report.rssBeforeBytes) / count,
  }
}

/** The sessions of one process of clients. */
function partOf(folder: string, swarm: number): unknown[] {
  const all = JSON.parse(readFileSync(path.join(folder, 'sessions.json'), 'utf8')) as unknown[]
  return all.filter((_, index) => index % swarms === swarm)
}

async function answer<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController()
  const gone = once(child, 'exit', { signal: ended.signal }).then(([code]: unknown[]): never => {
    throw new Error(`A process of the benchmark ended with ${String(code)}`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message'), gone])) as [T]
    return message
  } finally {
    gone.catch(() => undefined)
    ended.abort()
  }
}
