// Pages with a live connection over a real app: who is online, what is written, and how they learn of a change.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { manualClock } from '#server/features/market-data/feeds/testing/manual-clock.ts'
import { premiumColumns, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { cookiesOf, listenForLive, openSocket, type Watcher } from '#server/testing/live.ts'
import { closeCodes, liveVersion } from '#shared/market-data/live/contract.ts'
import { presenceMs, type Presence } from './presence.ts'
import { SocketPresence } from './socket-presence.ts'

let app: TestApp
let url: string
let admin: Browser
const open: Watcher[] = []

beforeAll(async () => {
  app = await testApp()
  url = await listenForLive(app.app)
  admin = await app.signedIn({ role: 'admin' })
})
afterEach(() => {
  for (const watcher of open.splice(0)) watcher.socket.terminate()
})
afterAll(() => app.close())

async function openPage(name: string, browser = app.browser()) {
  const { id, email } = await app.addUser({ name })
  await browser.signIn(email)
  const watcher = await openSocket(url, { cookie: cookiesOf(browser) })
  open.push(watcher)
  watcher.send({ t: 'hello', v: liveVersion, token: browser.sessionToken ?? '', isPage: true })
  const { account } = await watcher.next('ready')
  return { id, browser, watcher, account }
}

/** Changes are written once a second. */
const isOnline = (names: readonly string[]) => vi.waitFor(async () => expect(await online()).toEqual(names), { timeout: 20_000 })
const online = async () => (await admin.client.presence.online()).onlineUsers.map(({ name }) => name)

test('a page is online while its connection is open, without a request', async () => {
  const { watcher, account } = await openPage('Asha')
  expect(account).toEqual({ isPremium: false, status: null, premiumEndDate: null })
  await isOnline(['Asha'])
  watcher.close()
  await isOnline([])
})

test('a client that is no page is not online, and gets no account', async () => {
  const browser = await app.signedIn({ name: 'Program' })
  const watcher = await openSocket(url, { cookie: cookiesOf(browser) })
  open.push(watcher)
  watcher.send({ t: 'hello', v: liveVersion, token: browser.sessionToken ?? '' })
  expect((await watcher.next('ready')).account).toBeUndefined()
  await openPage('Page')
  await isOnline(['Page'])
})

test('a change of the subscription arrives as a frame, and an admin keeps premium', async () => {
  const { id, watcher } = await openPage('Buyer')
  await app.database.db.updateTable('users').set(premiumColumns).where('id', '=', id).execute()
  const { account } = await watcher.next('account')
  expect(account).toEqual({ isPremium: true, status: 'paid', premiumEndDate: premiumColumns.premium_end.toISOString() })
  await app.database.db.updateTable('users').set({ status: 'cancel', premium_end: null }).where('id', '=', id).execute()
  expect((await watcher.next('account')).account).toEqual({ isPremium: false, status: 'cancel', premiumEndDate: null })
  await app.database.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
  expect((await watcher.next('account')).account).toEqual({ isPremium: true, status: 'cancel', premiumEndDate: null })
})

test('a session that ends closes the connection and is no longer online', async () => {
  const { watcher, browser } = await openPage('Leaver')
  await isOnline(['Leaver'])
  await browser.client.auth.signOut({ body: {} })
  expect(await online()).toEqual([])
  expect((await watcher.closed).code).toBe(closeCodes.session)
})

test('all sockets share one write a second; a lost connection stays for ten seconds', async () => {
  const clock = manualClock(0)
  const renew = vi.fn<Presence['renew']>(() => Promise.resolve())
  const pages = new SocketPresence({ presence: { renew }, clock, onError: () => undefined })
  const second = async () => {
    clock.advance(1_000)
    await pause(0)
  }
  const attend = (id: string) => pages.attend({ id, confirmedAtMs: 0, user: { _id: `user ${id}` } } as Parameters<typeof pages.attend>[0])
  const written = () => renew.mock.calls.map(([{ seen, gone }]) => [seen.map((tab) => tab.sessionId), gone.map((tab) => tab.sessionId)])
  const [leaveA, leaveB, leaveC] = [attend('a'), attend('b'), attend('c')]
  leaveC(true)
  await second()
  await second()
  expect(written()).toEqual([[['a', 'b'], []]])
  leaveA(true)
  leaveB(false)
  attend('d')
  await second()
  for (let count = 0; count < 8; count += 1) await second()
  expect(written().slice(1)).toEqual([[['d'], ['a']]])
  await second()
  expect(written().slice(2)).toEqual([[[], ['b']]])
  for (let atMs = 0; atMs < presenceMs; atMs += 1_000) await second()
  expect(written().slice(3)).toEqual([[['d'], []]])
  await pages.close()
  await second()
  expect(written()).toHaveLength(4)
})

test('a write that fails is made again', async () => {
  const clock = manualClock(0)
  const errors: unknown[] = []
  const renew = vi.fn<Presence['renew']>().mockRejectedValueOnce(new Error('down')).mockResolvedValue(undefined)
  const pages = new SocketPresence({ presence: { renew }, clock, onError: (error) => errors.push(error) })
  pages.attend({ id: 'a', confirmedAtMs: 0, user: { _id: 'user' } } as Parameters<typeof pages.attend>[0])
  for (let count = 0; count < 5; count += 1) {
    clock.advance(1_000)
    await pause(0)
  }
  expect(renew.mock.calls.map(([{ seen }]) => seen.length)).toEqual([1, 1])
  expect(errors).toHaveLength(1)
  await pages.close()
})
