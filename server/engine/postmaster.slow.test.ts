// An embedded PostgreSQL that exits by itself is restarted, but not in a loop.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startServer } from '../testing/process.ts'
import { restartPolicy } from './postmaster.ts'

test('too many starts within a minute are final, old ones expire', () => {
  const next = restartPolicy()
  expect([0, 1, 2, 3, 4, 5].map((second) => next(second * 1000))).toEqual([0, 250, 500, 1000, 2000, undefined])
  const later = restartPolicy()
  expect([0, 20, 40, 60, 80, 100, 120, 140, 160].map((second) => later(second * 1000))).toEqual([0, 250, 500, 500, 500, 500, 500, 500, 500])
})

test('the server survives five kills of its PostgreSQL in a row and ends with an error at the sixth', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tezi-restarts-'))
  const server = await startServer({ DATA_DIR: dataDir })
  onTestFinished(async () => {
    await server.stop('SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const file = join(dataDir, 'postgres', 'data', 'postmaster.pid')
  const pid = (): number => (existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : NaN)
  const isReady = async (): Promise<boolean> => (await fetch(`${server.url}/readyz`)).status === 200
  for (let kill = 1; kill <= 5; kill++) {
    const killed = pid()
    process.kill(killed, 'SIGKILL')
    await vi.waitUntil(async () => pid() > 0 && pid() !== killed && (await isReady()), { timeout: 30_000 })
  }
  process.kill(pid(), 'SIGKILL')
  expect(await server.ended).toBe(1)
  expect(server.output()).toMatch(/"level":50.*the embedded PostgreSQL stopped 6 times within a minute \(status \d+\)/)
})
