// A full disk under PostgreSQL: pages open, /readyz and Status say that nothing is stored, and all is well when there is space again.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basePath } from '#shared/http/route.ts'
import { ownPostgres, type OwnPostgres } from './testing/own-postgres.ts'
import { startServer, type ServerProcess } from './testing/process.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tezi-full-disk-'))
const filler = path.join(folder, 'filler')
const long = { timeout: 120_000 }
let postgres: OwnPostgres
let server: ServerProcess

beforeAll(async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder])
  postgres = await ownPostgres(path.join(folder, 'postgres'))
  server = await startServer({ DATABASE_URL: postgres.databaseUrl, PASSWORD_HASHES: 'cheap' })
})
afterAll(async () => {
  await server.stop()
  await postgres.close()
  execFileSync('umount', ['--lazy', folder])
  rmSync(folder, { recursive: true, force: true })
})

/** Writes until no byte is left. */
function fill(): void {
  const file = openSync(filler, 'w')
  try {
    for (let bytes = 1 << 20; bytes >= 1;) {
      try {
        writeSync(file, Buffer.alloc(bytes))
      } catch {
        bytes = Math.floor(bytes / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}

const ready = async () => {
  const answer = await fetch(`${server.url}/readyz`)
  return [answer.status, await answer.json()]
}

function signUp(email: string): Promise<Response> {
  const form = { name: 'Asha', email, phone: '9876543210', password: 'Kesar-Chai-42', confirmPassword: 'Kesar-Chai-42' }
  return fetch(`${server.url}${basePath}/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  })
}

test('reading works, and /readyz says that nothing is stored until there is space', async () => {
  expect(await ready()).toEqual([200, { status: 'ready' }])
  fill()
  await expect.poll(ready, long).toEqual([200, { status: 'ready', writes: 'failing' }])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  rmSync(filler)
  await expect.poll(ready, long).toEqual([200, { status: 'ready' }])
  expect((await signUp('after@example.in')).status).toBe(201)
})
