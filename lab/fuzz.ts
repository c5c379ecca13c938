// Sends odd requests to every route of the contract, as every kind of caller, and fails on any status of 500 or above.
// Some requests are nearly valid, to get past validation; routes that never succeeded are listed.
// Run: node lab/fuzz.ts --requests 20000 --seed 1
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { pino } from 'pino'
import { z } from 'zod'
import { buildApp } from '#server/app.ts'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { databasePresence } from '#server/features/users/database-presence.ts'
import { noRateLimits } from '#server/http/rate-limiter.ts'
import { realClock } from '#server/features/market-data/real-clock.ts'
import { memoryMailer } from '#server/mail/mailer.ts'
import { openBrokers } from '#server/open-market.ts'
import { loadServerKeys, secretBox } from '#server/secrets/secret-box.ts'
import { composeServices } from '#server/services.ts'
import { startTestEngine } from '#server/testing/test-engine.ts'
import { testMarket } from '#server/testing/market.ts'
import { testStatus } from '#server/testing/status.ts'
import { api } from '#shared/api.ts'
import { defaultSite } from '#shared/base/site.ts'
import { basePath, rootPathOf, type Route } from '#shared/http/route.ts'

const { values } = parseArgs({ options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } } })
const password = 'Fuzzing-Kite-42'
const engine = await startTestEngine()
const database = await engine.freshDatabase()
const { db } = database
const market = testMarket(db, Date.now)
const deps = {
  db,
  rateLimiter: noRateLimits,
  presence: databasePresence(db),
  hasher: passwordHasher(),
  keyFor: await loadServerKeys(db),
  market: market.wiring,
  now: Date.now,
  onError: () => undefined,
  publicOrigin: undefined,
  mailer: memoryMailer(),
  linkOrigin: 'http://localhost',
  secretBox: secretBox(Buffer.alloc(32, 1)),
  brokers: openBrokers({ box: undefined }, { clock: realClock(), log: () => undefined }),
  needsAdminFactor: false,
  site: defaultSite,
  webRoot: undefined,
}
const services = composeServices(deps)
const readiness = () => Promise.resolve({ status: 'ready', missing: [] } as const)
const app = await buildApp({
  ...deps,
  services,
  readiness,
  status: testStatus({ ...deps, database, services, readiness }),
  log: pino({ enabled: false }),
  trustedProxies: [],
})
await app.ready()

const routes: Route[] = Object.values(api).flatMap((all): Route[] => Object.values(all))
const callers = [{}, await signedIn('user'), await signedIn('admin')]
const knownWords = [
  '',
  'regular',
  'crypto',
  '632412345678',
  '123456789012345678',
  'asc',
  '2026-02-30',
  '1e999',
  '-0',
  'NaN',
  '__proto__',
  "' or 1=1 --",
  '%00',
  '\u0000',
  '\ud800',
  '\u202e',
  '<script>',
  'data:image/png;base64,AAAA',
  'upi://pay?pa=a@b',
]
const word = fc.oneof(
  fc.constantFrom(...knownWords),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 200 }),
  fc.uuid(),
  fc.emailAddress(),
)
const odd = fc.oneof(
  word,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 3 }),
  fc.dictionary(word, word, { maxKeys: 3 }),
)
const names = [
  'id',
  'email',
  'password',
  'newPassword',
  'confirmPassword',
  'currentPassword',
  'name',
  'phone',
  'utrNo',
  'Months',
  'price',
  'type',
  'month',
  'months',
  'qrcodeUrl',
  'status',
  'from',
  'version',
  'tabId',
  'token',
  'challenge',
  'code',
  'zigZag',
  'premiumEndDate',
]
const body = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 10 }) },
  { weight: 1, arbitrary: odd },
)
const symbols = ['nifty', 'NIFTY', 'NSE:NIFTY', 'btc-usdt', 'BINANCE:BTC/USDT', 'EUR/USD', 'reliance', 'bitcoin']
const nowSeconds = Math.floor(Date.now() / 1000)
const instants = ['0', '1', '1700000000', `${nowSeconds}`, `${nowSeconds - 86_400}`, `${nowSeconds * 1000}`, '7258118400000', '-1', '1e12']
const counts = ['1', '2', '50', '300', '5000', '1000000', '0']
/** Possible values of parameters and query fields, by name. */
const wordsByName: Readonly<Record<string, readonly string[]>> = {
  slug: symbols,
  symbol: symbols,
  symbols: [...symbols, 'NIFTY,SENSEX', 'NSE:NIFTY,BTC/USDT,none', ',,'],
  timeframe: ['1', '3', '30', '60', '240', '1D', '1W', '1M', '7'],
  resolution: ['1', '3', '30', '60', '240', 'D', '1D', '1W', '1M', '7', '1S'],
  from: instants,
  to: instants,
  limit: counts,
  countback: counts,
  page: counts,
  perPage: ['10', '50'],
  query: ['', 'ni', 'BTC', 'usd'],
  type: ['', 'index', 'crypto', 'stock'],
  exchange: ['', 'NSE', 'BINANCE'],
}
const likely = (name: string) => {
  const known = wordsByName[name]
  return known === undefined ? word : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: word })
}
const otherNames = ['page', 'perPage', 'search', 'from', 'to', 'sort', 'before']

/** The query fields of a route. */
function queryNames({ query }: Route): string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape) : []
}

const request = fc.constantFrom(...routes).chain((route) => {
  const own = queryNames(route)
  return fc.record({
    route: fc.constant(route),
    caller: fc.constantFrom(...callers),
    body,
    params: route.path.includes(':slug') ? likely('slug') : word,
    query: fc.oneof(
      fc.dictionary(fc.constantFrom(...own, ...otherNames), word, { maxKeys: 4 }),
      fc.record(Object.fromEntries(own.map((name) => [name, likely(name)])), { requiredKeys: own.slice(0, 2) }),
    ),
  })
})

const failures: string[] = []
const reached = new Set<Route>()
let sent = 0
for (const one of fc.sample(request, { numRuns: Number(values.requests), seed: Number(values.seed) })) {
  // Sign-out would end the session of the other calls.
  if (one.route.path === '/auth/sign-out') continue
  const path = rootPathOf(one.route).replace(/:\w+/g, () => encode(one.params))
  const query = Object.entries<string>(one.query).map(([name, value]) => `${name}=${encode(value)}`)
  const hasBody = one.route.method !== 'GET' && one.route.method !== 'DELETE'
  const answer = await app.inject({
    method: one.route.method,
    url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: { ...one.caller, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { payload: JSON.stringify(one.body) } : {}),
  })
  sent += 1
  if (answer.statusCode < 300) reached.add(one.route)
  if (answer.statusCode >= 500)
    failures.push(`${one.route.method} ${path} ${answer.statusCode} ${JSON.stringify(one.body).slice(0, 300)} ${query.join('&')}`)
}
await app.close()
await market.close()
await database.close()
await engine.stop()
console.log(`${sent} requests over ${routes.length} routes with seed ${values.seed}: ${failures.length} failures`)
for (const failure of failures.slice(0, 20)) console.log(failure)
const missed = routes.filter((route) => !reached.has(route)).map((route) => `${route.method} ${rootPathOf(route)}`)
console.log(`${reached.size} routes answered with success; never: ${missed.join(', ') || 'none'}`)
if (failures.length > 0) process.exit(1)

function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}

async function signedIn(role: 'user' | 'admin'): Promise<Record<string, string>> {
  const email = `${role}@fuzz.example`
  await db
    .insertInto('users')
    .values({ name: role, email, phone: '9876543210', password_hash: await passwordHasher().hash(password), role, created_at: new Date() })
    .execute()
  const answer = await app.inject({ method: 'POST', url: `${basePath}/auth/sign-in`, payload: { email, password } })
  const { data } = answer.json<{ data: { sessionToken: string } }>()
  return { cookie: `${answer.cookies[0]?.name}=${answer.cookies[0]?.value}`, 'session-token': data.sessionToken }
}
