// Presence: one contract for both adapters, then the calls of tabs and the admin's list.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { databasePresence } from './database-presence.ts'
import { redisPresence } from './redis-presence.ts'
import { presenceMs, type Presence } from './presence.ts'

const redisUrl = process.env['TEST_REDIS_URL']
const adapters: [string, (database: Database) => Presence][] = [['database', (database) => databasePresence(database.db)]]
if (redisUrl !== undefined) {
  adapters.push([
    'Redis',
    () =>
      redisPresence(
        redisUrl,
        (error) => {
          throw error
        },
        `test:${randomUUID()}`,
      ),
  ])
}

describe.each(adapters)('presence in the %s', (_, presence) => {
  let server: TestApp
  let kept: Presence
  beforeAll(async () => {
    server = await testApp({
      presence: (database) => {
        kept = presence(database)
        return kept
      },
    })
  })
  afterAll(() => server.close())

  const open = async (values = {}) => {
    const user = await server.addUser(values)
    const browser = server.browser()
    await browser.signIn(user.email)
    return { ...user, browser, tab: () => randomUUID() }
  }

  test('a user with several tabs is online once, until the last tab is closed', async () => {
    const admin = await open({ role: 'admin' })
    const online = async () => (await admin.browser.client.presence.online()).onlineUsers
    const asha = await open({ name: 'Asha' })
    const [one, two] = [asha.tab(), asha.tab()]
    await asha.browser.client.presence.beOnline({ body: { tabId: one } })
    await asha.browser.client.presence.beOnline({ body: { tabId: two } })
    await asha.browser.client.presence.beOnline({ body: { tabId: two } })
    expect(await online()).toEqual([{ id: asha.id, name: 'Asha', email: asha.email }])
    await asha.browser.client.presence.beGone({ body: { tabId: one } })
    expect(await online()).toHaveLength(1)
    await asha.browser.client.presence.beGone({ body: { tabId: two } })
    expect(await online()).toEqual([])
  })

  test('a heartbeat that is handled after its tab was closed changes nothing', async () => {
    const admin = await open({ role: 'admin' })
    const late = await open({ name: 'Late' })
    const online = async () => (await admin.browser.client.presence.online()).onlineUsers.map((user) => user.name)
    const [seen, unseen] = [late.tab(), late.tab()]
    await late.browser.client.presence.beOnline({ body: { tabId: seen } })
    for (const tabId of [seen, unseen]) {
      await late.browser.client.presence.beGone({ body: { tabId } })
      await late.browser.client.presence.beOnline({ body: { tabId } })
      expect(await online()).toEqual([])
    }
    await late.browser.client.presence.beOnline({ body: { tabId: late.tab() } })
    expect(await online()).toEqual(['Late'])
    await late.browser.client.auth.signOut({ body: {} })
  })

  test('a crashed tab expires, one with heartbeats does not', async () => {
    const admin = await open({ role: 'admin' })
    const [crashed, living] = [await open({ name: 'Crashed' }), await open({ name: 'Living' })]
    const tab = living.tab()
    await crashed.browser.client.presence.beOnline({ body: { tabId: crashed.tab() } })
    await living.browser.client.presence.beOnline({ body: { tabId: tab } })
    server.clock.nowMs += presenceMs - 1
    await living.browser.client.presence.beOnline({ body: { tabId: tab } })
    expect((await admin.browser.client.presence.online()).onlineUsers.map((user) => user.name)).toEqual(['Crashed', 'Living'])
    server.clock.nowMs += 1
    expect((await admin.browser.client.presence.online()).onlineUsers.map((user) => user.name)).toEqual(['Living'])
    await living.browser.client.auth.signOut({ body: {} })
    expect((await admin.browser.client.presence.online()).onlineUsers).toEqual([])
  })

  test("signing out removes one session's tabs and leaves another browser of the same user online", async () => {
    const admin = await open({ role: 'admin' })
    const desk = await open({ name: 'Two places' })
    const phone = server.browser()
    await phone.signIn(desk.email)
    await desk.browser.client.presence.beOnline({ body: { tabId: desk.tab() } })
    await phone.client.presence.beOnline({ body: { tabId: desk.tab() } })
    await desk.browser.client.auth.signOut({ body: {} })
    expect((await admin.browser.client.presence.online()).onlineUsers.map((user) => user.name)).toEqual(['Two places'])
    await phone.client.auth.signOut({ body: {} })
    expect((await admin.browser.client.presence.online()).onlineUsers).toEqual([])
  })

  test('beyond 20 tabs the least recently seen ones are dropped', async () => {
    const admin = await open({ role: 'admin' })
    const { browser, tab } = await open({ name: 'Many tabs' })
    const names = async () => (await admin.browser.client.presence.online()).onlineUsers.map((user) => user.name)
    const tabs = Array.from({ length: 25 }, tab)
    for (const tabId of tabs) {
      server.clock.nowMs += 1
      await browser.client.presence.beOnline({ body: { tabId } })
    }
    for (const tabId of tabs.slice(6)) await browser.client.presence.beGone({ body: { tabId } })
    expect(await names()).toEqual(['Many tabs'])
    await browser.client.presence.beGone({ body: { tabId: tabs[5] ?? '' } })
    expect(await names()).toEqual([])
  })

  test('open sockets are renewed and deleted together, also beside a session that was deleted meanwhile', async () => {
    const admin = await open({ role: 'admin' })
    const sessionOf = async (userId: string) =>
      server.database.db.selectFrom('sessions').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow()
    const tabOf = async ({ id }: { id: string }) => ({ userId: id, sessionId: (await sessionOf(id)).id, tabId: randomUUID() })
    const names = async () => (await admin.browser.client.presence.online()).onlineUsers.map((user) => user.name)
    const people = [await open({ name: 'One' }), await open({ name: 'Two' }), await open({ name: 'Three' })] as const
    const [one, two, three] = await Promise.all(people.map(tabOf))
    if (one === undefined || two === undefined || three === undefined) throw new Error('no tabs')
    await kept.renew({ seen: [one, two, three], gone: [] }, server.clock.nowMs)
    expect(await names()).toEqual(['One', 'Three', 'Two'])
    server.clock.nowMs += presenceMs - 1
    await people[2].browser.client.auth.signOut({ body: {} })
    await server.database.db.deleteFrom('sessions').where('id', '=', three.sessionId).execute()
    await kept.renew({ seen: [one], gone: [two, three] }, server.clock.nowMs)
    expect(await names()).toEqual(['One'])
    server.clock.nowMs += 1
    await kept.renew({ seen: [], gone: [] }, server.clock.nowMs)
    expect(await names()).toEqual(['One'])
    server.clock.nowMs += presenceMs
    expect(await names()).toEqual([])
  })

  test('a tab needs a valid id', async () => {
    const { browser } = await open()
    for (const tabId of ['', 'x', null, 7])
      expect((await browser.send({ method: 'POST', path: '/api/v1/user/presence', body: { tabId } })).statusCode).toBe(400)
  })
})
