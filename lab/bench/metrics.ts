// Cost of metrics: CPU time per GET /user of a server with a monitoring port and of one without, alternating.
// Usage: npx node lab/bench/metrics.ts [rounds] [seconds per cell]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '#server/testing/process.ts'
import { measure } from './load.ts'
import { processorMs } from './processor-time.ts'
import { signIn } from './sign-in.ts'

const rounds = Number(process.argv[2] ?? 10)
const durationMs = Number(process.argv[3] ?? 3) * 1000

/** The defaults of a server that does not write to a terminal: every request is a line. */
const logging = { LOG_LEVEL: 'info', LOG_FORMAT: 'json', LOG_REQUESTS: '1' }
const folder = mkdtempSync(path.join(tmpdir(), 'tezi-bench-'))
const open = async (name: string, environment: Readonly<Record<string, string>>) => {
  const server = await startServer({ DATA_DIR: path.join(folder, name), RATE_LIMITS: 'off', ...logging, ...environment })
  return { server, headers: (await signIn(server.url)).headers, runs: [] as number[] }
}
const without = await open('without', {})
const withMetrics = await open('with', { METRICS_PORT: '0' })
const metricsUrl = /Metrics: (\S+)/.exec(withMetrics.server.output())?.[1] ?? ''

async function microsecondsPerRequest({ server, headers }: typeof without, ms: number): Promise<number> {
  const beforeMs = processorMs(server.child.pid)
  const startMs = performance.now()
  const { perSecond } = await measure({ port: server.port, path: '/api/v1/user', headers: [headers], connections: 32, durationMs: ms })
  const requests = (perSecond * (performance.now() - startMs)) / 1000
  return ((processorMs(server.child.pid) - beforeMs) * 1000) / requests
}

// Like Prometheus, but three times as often.
async function scrape(): Promise<void> {
  const answer = await fetch(metricsUrl)
  if (!answer.ok || !(await answer.text()).includes('tezi_http_requests_total{')) throw new Error('there are no metrics')
}
const scrapes = setInterval(() => void scrape(), 5_000)
for (const cell of [without, withMetrics]) await microsecondsPerRequest(cell, durationMs)
for (let round = 0; round < rounds; round += 1) {
  const order = round % 2 === 0 ? [without, withMetrics] : [withMetrics, without]
  for (const cell of order) cell.runs.push(await microsecondsPerRequest(cell, durationMs))
}
clearInterval(scrapes)

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
const ratios = withMetrics.runs.map((value, round) => value / (without.runs[round] ?? Number.NaN))
console.table({
  'without metrics': { 'µs of processor per request': Math.round(median(without.runs)) },
  'with metrics': { 'µs of processor per request': Math.round(median(withMetrics.runs)) },
})
console.log(`median of ${rounds} ratios: ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`)

await Promise.all([without.server.stop(), withMetrics.server.stop()])
rmSync(folder, { recursive: true, force: true })
