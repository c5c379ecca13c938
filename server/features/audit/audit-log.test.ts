// The audit log over the API: its filters, and the export.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { addMember, type Member } from '#server/testing/subscriptions.ts'
import type { AuditFilter } from '#shared/audit/contract.ts'
import { writeAudit, type AuditEntry } from './service.ts'

let server: TestApp
let priya: Member
let arjun: { id: string; email: string }
beforeAll(async () => {
  server = await testApp()
})
beforeEach(async () => {
  await server.reset()
  priya = await addMember(server, { role: 'admin', name: 'Priya', email: 'priya@example.in' })
  arjun = await server.addUser({ name: '=Arjun', email: 'arjun@example.in' })
  await add('2026-11-01T18:29:59Z', { action: 'subscription-accept', details: { before: { status: 'pending' }, after: end } })
  await add('2026-11-01T18:30:00Z', { action: 'plan-updated', target: { id: null, name: 'crypto plan' } })
  await add('2026-11-03T18:30:00Z', { action: 'sign-in', actor: arjun })
})
afterAll(() => server.close())

const end = { premiumEnd: '2027-02-22T06:00:00.000Z' }

function add(at: string, entry: Pick<AuditEntry, 'action'> & Partial<AuditEntry>): Promise<void> {
  return writeAudit(server.database.db, {
    actor: priya,
    target: { id: arjun.id, name: arjun.email },
    address: '203.0.113.7',
    ...entry,
    at: new Date(at),
  })
}

const list = async (query: AuditFilter) => (await priya.browser.client.audit.list({ query })).data.map(({ action }) => action)
const read = (path: string, by = priya.browser) => by.send({ method: 'GET', path: `/api/v1/admin/${path}` })

test.each(['audit', 'audit.csv'])('%s is for admins, and rejects invalid filters at their field', async (path) => {
  const user = await addMember(server)
  expect((await read(path, server.browser())).statusCode).toBe(401)
  expect((await read(path, user.browser)).statusCode).toBe(403)
  for (const [query, field] of [
    ['action=tea-made', 'action'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    ['from=2026-11-02&to=2026-11-01', 'to'],
    [`actor=${'x'.repeat(101)}`, 'actor'],
    ['target=a&target=b', 'target'],
  ]) {
    const response = await read(`${path}?${query}`)
    expect([query, response.statusCode, Object.keys(response.json<{ fields: object }>().fields)]).toEqual([query, 400, [field]])
  }
})

test('the export needs a recent password', async () => {
  server.clock.nowMs += 15 * 60_000 + 1
  expect((await read('audit.csv')).json()).toMatchObject({ code: 'admin.confirmPassword' })
  expect(await list({ action: 'audit-exported' })).toEqual([])
})

test('shows the acts of admins, newest first, with the present names of both', async () => {
  const { data } = await priya.browser.client.audit.list({ query: {} })
  expect(data).toMatchObject([
    { action: 'plan-updated', actor: 'priya@example.in', actorName: 'Priya', target: 'crypto plan', targetName: null },
    { action: 'subscription-accept', actorName: 'Priya', target: 'arjun@example.in', targetName: '=Arjun' },
  ])
})

describe('the filter', () => {
  test.each([
    [{ action: 'all' }, ['sign-in', 'plan-updated', 'subscription-accept']],
    [{ action: 'sign-in' }, ['sign-in']],
    [{ action: 'all', actor: 'arj' }, ['sign-in']],
    [{ actor: 'PRIYA' }, ['plan-updated', 'subscription-accept']],
    [{ actor: '=arjun' }, []],
    [{ target: '=ARJUN' }, ['subscription-accept']],
    [{ target: 'crypto' }, ['plan-updated']],
    [{ target: '%' }, []],
    [{ from: '2026-11-02' }, ['plan-updated']],
    [{ to: '2026-11-01' }, ['subscription-accept']],
    [{ action: 'all', from: '2026-11-02', to: '2026-11-03' }, ['plan-updated']],
    [{ action: 'all', from: '2026-11-02', to: '2026-11-04', target: 'arjun' }, ['sign-in']],
  ] as const)('%j finds %j', async (query, actions) => {
    expect(await list(query)).toEqual(actions)
  })
})

describe('the export', () => {
  test('has sentences, is safe in spreadsheets, and is logged without the names searched for', async () => {
    const response = await read('audit.csv?target=arjun')
    expect(response.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"')
    expect(response.body.split('\r\n').slice(0, 3)).toEqual([
      '\uFEFFTime,What happened,Action,Actor,Target,IP address,Details',
      `2026-11-01T18:29:59.000Z,"Priya accepted =Arjun's request, premium until 22 Feb 2027",subscription-accept,priya@example.in,arjun@example.in,203.0.113.7,"{""after"":{""premiumEnd"":""2027-02-22T06:00:00.000Z""},""before"":{""status"":""pending""}}"`,
      '',
    ])
    await server.database.db.updateTable('users').set({ name: '=1+1' }).where('id', '=', priya.id).execute()
    expect((await read('audit.csv?action=plan-updated')).body).toContain(",'=1+1 changed the crypto plan,")
    const { data } = await priya.browser.client.audit.list({ query: { action: 'audit-exported' } })
    expect(data.map(({ details }) => details)).toEqual(['{"filter":{"action":"plan-updated"}}', '{"filter":{}}'])
  })

  test('of more than one batch has every entry once', async () => {
    const rows = Array.from({ length: 2_005 }, (_, index) => ({
      at: new Date('2026-11-05T00:00:00Z'),
      actor: 'priya@example.in',
      action: 'plan-created',
      target: `plan ${index}`,
      address: '',
      details: '{}',
    }))
    await server.database.db.insertInto('audit_log').values(rows).execute()
    const lines = (await read('audit.csv?action=plan-created')).body.trimEnd().split('\r\n').slice(1)
    expect(new Set(lines.map((line) => line.split(',')[4])).size).toBe(2_005)
    expect(lines).toHaveLength(2_005)
  })
})
