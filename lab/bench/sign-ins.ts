// Sign-ins at the server compared with bare argon2id, in turns: rates, and the server's processor time for each (Linux).
// Usage: node lab/bench/sign-ins.ts [rounds] [seconds each]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/open-database.ts'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { startServer } from '#server/testing/process.ts'
import { addSessions } from './many-sessions.ts'
import { processorMs } from './processor-time.ts'

const rounds = Number(process.argv[2] ?? 5)
const durationMs = Number(process.argv[3] ?? 4) * 1_000
const clients = 8
const password = 'Kesar-Chai-42'
const dataDir = mkdtempSync(path.join(tmpdir(), 'tezi-bench-'))
const hasher = passwordHasher()
const passwordHash = await hasher.hash(password)
const emails = await prepare()
const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
let sent = 0

await repeated(clients, signIn)
for (let round = 0; round < rounds; round += 1) {
  const raw = await repeated(2, () => hasher.signIn({ owner: '', part: '' }, (matches) => matches(password, passwordHash)))
  const beforeMs = processorMs(server.child.pid)
  const ours = await repeated(clients, signIn)
  const cpuMs = (processorMs(server.child.pid) - beforeMs) / ours.count
  console.log(
    `argon2id ${raw.perSecond.toFixed(1)}/s, ${raw.cpuMs.toFixed(1)} ms of CPU; sign-ins ${ours.perSecond.toFixed(1)}/s, ` +
      `${cpuMs.toFixed(1)} ms of the server, ${ours.cpuMs.toFixed(1)} ms of the client; ratio ${(ours.perSecond / raw.perSecond).toFixed(2)}`,
  )
}
await server.stop()
rmSync(dataDir, { recursive: true, force: true })

/** Accounts with the password; their emails. */
async function prepare(): Promise<string[]> {
  const log = () => undefined
  const database = await openDatabase({ dataDir, log })
  await migrate(database, log)
  await addSessions(database.db, 500)
  const accounts = await database.db.updateTable('users').set({ password_hash: passwordHash }).returning('email').execute()
  await database.close()
  return accounts.map(({ email }) => email)
}

async function signIn(): Promise<void> {
  const email = emails[sent++ % emails.length]
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/api/v1/auth/sign-in`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.arrayBuffer()
}

async function repeated(parallel: number, work: () => Promise<unknown>) {
  const startMs = performance.now()
  const before = process.cpuUsage()
  let count = 0
  const one = async (): Promise<void> => {
    for (; performance.now() - startMs < durationMs; count += 1) await work()
  }
  await Promise.all(Array.from({ length: parallel }, one))
  const { user, system } = process.cpuUsage(before)
  return { count, perSecond: (count * 1_000) / (performance.now() - startMs), cpuMs: (user + system) / 1_000 / count }
}
