// Calls with an Idempotency-Key run once and return the same response.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testApp, testPassword, type TestApp } from '#server/testing/app.ts'
import { addMember, addPlans, stateOf, type Member } from '#server/testing/subscriptions.ts'
import { api } from '#shared/api.ts'
import type { Route } from '#shared/http/route.ts'
import { databaseIdempotency } from './idempotency.ts'
import { noRateLimits } from './rate-limiter.ts'

let server: TestApp
let member: Member
let reference: string

const pay = (key: string | undefined, utrNo = reference, from = member) =>
  from.browser.send({
    method: 'POST',
    path: '/api/v1/user/payment',
    body: { utrNo, Months: 3, price: 2999.5, type: 'regular' },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })

beforeAll(async () => {
  server = await testApp()
  await addPlans(server)
})

beforeEach(async () => {
  member = await addMember(server)
  reference = String(600_000_000_000 + Math.floor(performance.now() * 1000))
})

afterAll(() => server.close())

describe('a key', () => {
  it.each(['', ' ', 'a b', 'x'.repeat(201)])('%j is invalid', async (key) => {
    expect((await pay(key)).statusCode).toBe(400)
    expect((await stateOf(server, member.id)).requests).toHaveLength(0)
  })

  it('does not serve another request', async () => {
    expect((await pay('one')).statusCode).toBe(201)
    const other = await pay('one', `9${reference.slice(1)}`)
    expect(other.statusCode).toBe(409)
    expect(other.json()).toMatchObject({ code: 'http.keyReused' })
  })

  it('is rejected while its first call runs, and released when that has timed out', async () => {
    await pay('two', reference)
    const row = server.database.db.updateTable('idempotency_keys').where('user_id', '=', member.id)
    await row.set({ reply: null as unknown as string, begun_at: new Date(server.clock.nowMs) }).execute()
    const twin = await pay('two')
    expect(twin.statusCode).toBe(409)
    expect(twin.json()).toMatchObject({ code: 'http.stillRunning' })
    await row.set({ begun_at: new Date(server.clock.nowMs - 61_000) }).execute()
    expect((await pay('two')).json()).not.toMatchObject({ code: 'http.stillRunning' })
  })

  it('returns the first response again, and runs once', async () => {
    const answers = [await pay('three'), await pay('three'), await pay('three')]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    const { requests, history } = await stateOf(server, member.id)
    expect([requests.length, history.length]).toEqual([1, 1])
  })

  it('runs once for concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay('four')))
    expect(answers.every(({ statusCode }) => statusCode === 201 || statusCode === 409)).toBe(true)
    expect(answers.some(({ statusCode }) => statusCode === 201)).toBe(true)
    expect((await stateOf(server, member.id)).requests).toHaveLength(1)
    expect((await pay('four')).statusCode).toBe(201)
  })

  it('belongs to one user', async () => {
    const other = await addMember(server)
    expect((await pay('five')).statusCode).toBe(201)
    expect((await pay('five', `8${reference.slice(1)}`, other)).statusCode).toBe(201)
    expect((await stateOf(server, other.id)).requests).toHaveLength(1)
  })

  it('of a failed call may be used again', async () => {
    expect((await pay('six', '12')).statusCode).toBe(400)
    expect((await pay('six', reference)).statusCode).toBe(201)
  })

  it('of a successful call returns its response even if it cannot be stored', async () => {
    const { db } = server.database
    await sql`create function refuse_reply() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(db)
    await sql`create trigger refuse_reply before update on idempotency_keys for each row execute function refuse_reply()`.execute(db)
    try {
      expect((await pay('kept')).statusCode).toBe(201)
    } finally {
      await sql`drop function refuse_reply() cascade`.execute(db)
    }
    expect((await pay('kept')).statusCode).toBe(409)
    expect((await stateOf(server, member.id)).requests).toHaveLength(1)
  })

  it('is ignored on a route with a password, and nothing of the body is stored', async () => {
    const confirm = (password: string) =>
      member.browser.send({
        method: 'POST',
        path: '/api/v1/auth/confirm',
        body: { password },
        headers: { 'idempotency-key': 'secret' },
      })
    expect((await confirm(testPassword)).statusCode).toBe(200)
    expect((await confirm('Another-Chai-43')).statusCode).toBe(400)
    expect(await server.database.db.selectFrom('idempotency_keys').select('key').where('key', '=', 'secret').execute()).toEqual([])
  })

  it('is ignored on every route that takes a password', () => {
    const routes: Route[] = Object.values(api).flatMap((all) => Object.values(all as Record<string, Route>))
    const takesPassword = ({ body }: Route) => body instanceof z.ZodObject && Object.keys(body.shape).some((name) => /password/i.test(name))
    expect(routes.filter(takesPassword).length).toBeGreaterThan(9)
    expect(routes.filter((route) => takesPassword(route) && route.hasSecrets !== true).map(({ path }) => path)).toEqual([])
  })

  it('is stored with a keyed fingerprint, which cannot be computed from a guessed body', async () => {
    await pay('eight')
    const { fingerprint } = await server.database.db
      .selectFrom('idempotency_keys')
      .select('fingerprint')
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    const body = JSON.stringify({ utrNo: reference, Months: 3, price: 2999.5, type: 'regular' })
    const plain = createHash('sha256').update(`POST /api/v1/user/payment\n${body}`).digest()
    expect(fingerprint.equals(plain)).toBe(false)
    expect(fingerprint).toHaveLength(32)
  })

  it('expires after a day', async () => {
    await pay('seven')
    const { db } = server.database
    await databaseIdempotency({
      db,
      rateLimiter: noRateLimits,
      key: Buffer.alloc(32),
      now: () => server.clock.nowMs + 25 * 3_600_000,
      onError: () => {},
    }).sweep()
    expect(await db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  })
})
