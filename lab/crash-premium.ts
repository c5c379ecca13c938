// Proves that kill -9 during claims and decisions loses no acknowledged change and leaves no partial one.
// Run: node lab/crash-premium.ts --calls 200
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/open-database.ts'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { startServer } from './server-process.ts'

const { values } = parseArgs({ options: { calls: { type: 'string', default: '200' } } })
const calls = Number(values.calls)
const usersCount = 10
const password = 'Crash-proof kite 42'
const dataDir = path.join(await mkdtemp(path.join(tmpdir(), 'tezi-crash-')), 'data')
const problems: string[] = []

type Session = Record<string, string>
interface Acknowledged {
  readonly references: Set<string>
  /** User id to the number of acknowledged decisions. */
  readonly decisions: Map<string, number>
}

const acknowledged: Acknowledged = { references: new Set(), decisions: new Map() }
const ids = await prepare()
let made = 0
let kills = 0
while (made < calls) await killedRound()
await verify()
await rm(path.dirname(dataDir), { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
console.table({
  calls: made,
  kills,
  'claims acknowledged': acknowledged.references.size,
  'decisions acknowledged': [...acknowledged.decisions.values()].reduce((sum, count) => sum + count, 0),
  problems: problems.length,
})
for (const problem of problems) console.log(problem)
if (problems.length > 0) process.exit(1)

/** A plan, an admin and users, all with one password. */
async function prepare(): Promise<Map<string, string>> {
  const database = await openDatabase({ dataDir, log: () => {} })
  await migrate(database, () => {})
  const hash = await passwordHasher().hash(password)
  const at = new Date()
  await database.db
    .insertInto('plans')
    .values({ type: 'regular', months: 1, price_minor: 99_900, qr_image: '', qr_text: null, updated_at: at })
    .execute()
  const rows = await database.db
    .insertInto('users')
    .values(
      Array.from({ length: usersCount + 1 }, (_, index) => ({
        name: `User ${index}`,
        email: index === 0 ? 'admin@crash.example' : `user${index}@crash.example`,
        phone: '9876543210',
        password_hash: hash,
        role: index === 0 ? ('admin' as const) : ('user' as const),
        created_at: at,
      })),
    )
    .returning(['id', 'email'])
    .execute()
  await database.close()
  return new Map(rows.map((row) => [row.email, row.id]))
}

/** Claims and decisions by several clients until the process is killed at a random moment. */
async function killedRound(): Promise<void> {
  const server = await startServer(dataDir)
  const admin = await signIn(server.address, 'admin@crash.example')
  const users = await Promise.all(
    [...ids.keys()]
      .filter((email) => email.startsWith('user'))
      .map(async (email) => ({ email, session: await signIn(server.address, email) })),
  )
  const end = { isNear: false }
  const callers = users.map(async ({ email, session }) => {
    const id = ids.get(email) ?? ''
    while (!end.isNear) {
      const reference = String(632_400_000_000 + Math.floor(Math.random() * 99_999_999))
      const isClaimed = (await post(server.address, '/user/payment', session, { utrNo: reference, type: 'regular' })) === 201
      if (isClaimed) acknowledged.references.add(reference)
      const decision = { id, status: Math.random() < 0.6 }
      const isDecided = (await post(server.address, '/admin/userstatus', admin, decision)) === 200
      // Only after its own claim is a response surely a new decision; a repeated one is answered without a row.
      if (isClaimed && isDecided) acknowledged.decisions.set(id, (acknowledged.decisions.get(id) ?? 0) + 1)
      made += Number(isClaimed) + Number(isDecided)
    }
  })
  await delay(30 + Math.random() * 400)
  const gone = server.end('SIGKILL')
  end.isNear = true
  kills += 1
  await Promise.all([gone, ...callers])
}

/** Every acknowledged change is stored, and each user's row matches the last row of the history. */
async function verify(): Promise<void> {
  const database = await openDatabase({ dataDir, log: () => {} })
  const { db } = database
  const requests = await db.selectFrom('payment_requests').select(['reference', 'status', 'user_id']).execute()
  const known = new Set(requests.map((request) => request.reference))
  for (const reference of acknowledged.references) if (!known.has(reference)) problems.push(`Lost claim ${reference}`)
  for (const [email, id] of ids) {
    const user = await db.selectFrom('users').select(['status', 'premium_end']).where('id', '=', id).executeTakeFirstOrThrow()
    const history = await db.selectFrom('subscription_history').selectAll().where('user_id', '=', id).orderBy('id').execute()
    const last = history.at(-1)
    if ((last?.status_after ?? null) !== user.status) problems.push(`${email}: status ${user.status}, history says ${last?.status_after}`)
    if (last?.premium_end_after?.getTime() !== user.premium_end?.getTime()) problems.push(`${email}: end date differs from the history`)
    for (const [index, change] of history.entries()) {
      if (index > 0 && change.status_before !== history[index - 1]?.status_after)
        problems.push(`${email}: the history does not replay at ${change.id}`)
    }
    const pending = requests.filter((request) => request.user_id === id && request.status === 'pending').length
    if (pending !== (user.status === 'pending' ? 1 : 0)) problems.push(`${email}: ${pending} pending requests with status ${user.status}`)
    const decided = history.filter((change) => change.command !== 'submit').length
    const audited = await db
      .selectFrom('audit_log')
      .select('id')
      .where('target_id', '=', id)
      .where('action', 'like', 'subscription-%')
      .execute()
    if (audited.length !== decided) problems.push(`${email}: ${decided} decisions, ${audited.length} audit rows`)
    if (decided < (acknowledged.decisions.get(id) ?? 0))
      problems.push(`${email}: ${decided} decisions stored, ${acknowledged.decisions.get(id)} acknowledged`)
  }
  await database.close()
}

async function signIn(address: string, email: string): Promise<Session> {
  const answer = await fetch(`${address}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { data } = (await answer.json()) as { data: { sessionToken: string } }
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'session-token': data.sessionToken }
}

async function post(address: string, route: string, session: Session, body: unknown): Promise<number> {
  try {
    const answer = await fetch(`${address}/api/v1${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...session },
      body: JSON.stringify(body),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
