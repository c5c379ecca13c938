// GET /user with many real sessions compared with a bare node:http response and a Fastify route that has a schema and a log, in one run.
// Usage: node lab/bench/http.ts [rounds] [seconds per cell] [sessions]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/open-database.ts'
import { startServer } from '#server/testing/process.ts'
import { measure, type Measured } from './load.ts'
import { addSessions } from './many-sessions.ts'

const rounds = Number(process.argv[2] ?? 5)
const durationMs = Number(process.argv[3] ?? 2) * 1000
const count = Number(process.argv[4] ?? 5_000)
const connections = 32

const dataDir = mkdtempSync(path.join(tmpdir(), 'tezi-bench-'))
const sessions = await prepare()
const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
const answer = await fetch(`${server.url}/api/v1/user`, { headers: sessions[0] ?? {} })
// Both logs go through a pipe.
const floor = fork(path.join(import.meta.dirname, 'floor-server.ts'), [await answer.text()], { silent: true })
floor.stdout?.resume()
const [ports] = (await once(floor, 'message')) as [{ bare: number; plain: number }]

const peer = 'Fastify route with schema and log'
const ours = `GET /user, ${count} sessions`
const cells = [
  { name: 'bare node:http', port: ports.bare, headers: [{}] },
  { name: peer, port: ports.plain, headers: [{}] },
  { name: ours, port: server.port, headers: sessions },
]
const results = new Map<string, Measured[]>(cells.map((cell) => [cell.name, []]))
for (const cell of cells) await measure({ ...cell, path: '/api/v1/user', connections, durationMs: 500 })
for (let round = 0; round < rounds; round += 1) {
  for (const cell of cells) results.get(cell.name)?.push(await measure({ ...cell, path: '/api/v1/user', connections, durationMs }))
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
const peerRuns = results.get(peer) ?? []
console.table(
  Object.fromEntries(
    [...results].map(([name, runs]) => [
      name,
      {
        'requests/s': Math.round(median(runs.map((run) => run.perSecond))),
        'p50 ms': Number(median(runs.map((run) => run.p50Ms)).toFixed(2)),
        'p99 ms': Number(median(runs.map((run) => run.p99Ms)).toFixed(2)),
        'ratio to Fastify': Number(median(runs.map((run, index) => run.perSecond / (peerRuns[index]?.perSecond ?? Number.NaN))).toFixed(3)),
      },
    ]),
  ),
)

floor.kill()
await server.stop()
rmSync(dataDir, { recursive: true, force: true })

/** The server's own database with many sessions, before it starts. */
async function prepare(): Promise<Readonly<Record<string, string>>[]> {
  const log = () => undefined
  const database = await openDatabase({ dataDir, log })
  await migrate(database, log)
  const made = await addSessions(database.db, count)
  await database.close()
  return made.map(({ cookie, sessionToken }) => ({ cookie: `tezi_session=${cookie}`, 'session-token': sessionToken }))
}
