// GET /user with a real session compared with a bare node:http response and the same Fastify route without a session, in one run.
// Usage: node bench/http.ts [rounds] [seconds per cell]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '#server/testing/process.ts'
import { measure, type Measured } from './load.ts'
import { signIn } from './sign-in.ts'

const rounds = Number(process.argv[2] ?? 5)
const durationMs = Number(process.argv[3] ?? 2) * 1000
const connections = 32

const dataDir = mkdtempSync(path.join(tmpdir(), 'tezi-bench-'))
const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
const { headers, user } = await signIn(server.url)
const floor = fork(path.join(import.meta.dirname, 'floor-server.ts'), [JSON.stringify(user)])
const [ports] = (await once(floor, 'message')) as [{ bare: number; plain: number }]

const cells = [
  { name: 'bare node:http', port: ports.bare, headers: {} },
  { name: 'Fastify route without session', port: ports.plain, headers: {} },
  { name: 'GET /user with session', port: server.port, headers },
]
const results = new Map<string, Measured[]>(cells.map((cell) => [cell.name, []]))
for (const cell of cells) await measure({ ...cell, path: '/api/v1/user', connections, durationMs: 500 })
for (let round = 0; round < rounds; round += 1) {
  for (const cell of cells) results.get(cell.name)?.push(await measure({ ...cell, path: '/api/v1/user', connections, durationMs }))
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
const bareRuns = results.get('bare node:http') ?? []
console.table(
  Object.fromEntries(
    [...results].map(([name, runs]) => [
      name,
      {
        'requests/s': Math.round(median(runs.map((run) => run.perSecond))),
        'p50 ms': Number(median(runs.map((run) => run.p50Ms)).toFixed(2)),
        'p99 ms': Number(median(runs.map((run) => run.p99Ms)).toFixed(2)),
        'ratio to bare': Number(median(runs.map((run, index) => run.perSecond / (bareRuns[index]?.perSecond ?? Number.NaN))).toFixed(3)),
      },
    ]),
  ),
)

floor.kill()
await server.stop()
rmSync(dataDir, { recursive: true, force: true })
