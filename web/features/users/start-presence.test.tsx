// Presence of a page: no request while the live connection is up, heartbeats at most once a minute without it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#shared/api.ts'
import { makeUser } from '#shared/testing/user.ts'
import { accountStateOf } from '#shared/users/user.ts'
import { session } from '#web/lib/browser-storage.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { startPresence, type PresenceOptions } from './start-presence.ts'

const user = makeUser('free')
const state = accountStateOf(user)
const receive = vi.fn<PresenceOptions['receive']>()
const onOnline = vi.fn<PresenceOptions['onOnline']>()
const refetch = vi.fn<PresenceOptions['refetch']>()
let line: Parameters<PresenceOptions['watchAccount']>[0]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  session.save(server.startSession(user), user)
  server.on(api.presence.beOnline, () => ({ success: true, data: state }))
  server.on(api.presence.beGone, () => ({ success: true }))
  stop = startPresence({
    watchAccount: (listener) => {
      line = listener
      return () => undefined
    },
    receive,
    onOnline,
    refetch,
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.clearAllMocks()
})

const tabs = (route: typeof api.presence.beOnline | typeof api.presence.beGone) => server.calls(route).map(({ body }) => body.tabId)
const beats = () => tabs(api.presence.beOnline).length
const turn = (type: 'pagehide' | 'pageshow') => window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }))
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)
const lookAgain = () => window.dispatchEvent(new Event('focus'))

test('a page with a live connection sends nothing, also when it is looked at or closed', async () => {
  line.account(state)
  await pass(600)
  lookAgain()
  turn('pagehide')
  await pass(600)
  expect(beats()).toBe(0)
  expect(tabs(api.presence.beGone)).toEqual([])
  expect(receive).toHaveBeenCalledExactlyOnceWith(state)
  expect(refetch).not.toHaveBeenCalled()
})

test.each([
  ['its live connection', () => line.account(state)],
  ['its first heartbeat', () => undefined],
])('a page says once that it counts as online, by %s, when the server has noted it', async (_way, arrive) => {
  await pass(2)
  arrive()
  await pass(1)
  expect(onOnline).not.toHaveBeenCalled()
  await pass(10)
  await eventually(async () => {
    await pass(2)
    expect(onOnline).toHaveBeenCalledOnce()
  })
  line.account(state)
  await pass(120)
  expect(onOnline).toHaveBeenCalledOnce()
})

test('a page without one sends at most one heartbeat a minute, and reads the user when it is looked at', async () => {
  await pass(2)
  expect(beats()).toBe(0)
  await pass(2)
  await eventually(() => expect(beats()).toBe(1))
  for (let count = 0; count < 5; count += 1) {
    lookAgain()
    await pass(10)
  }
  expect(beats()).toBe(1)
  expect(refetch).toHaveBeenCalledTimes(5)
  await pass(10)
  await eventually(() => expect(beats()).toBe(2))
  line.account(state)
  await pass(600)
  expect(beats()).toBe(2)
})

test('a session that ends by a sign-out here asks for nothing', async () => {
  line.account(state)
  line.ended()
  await pass(0.5)
  stop()
  await pass(600)
  expect(beats()).toBe(0)
})

test('a lost connection has some seconds to return, and an ended session is noticed soon', async () => {
  line.account(state)
  line.lost()
  await pass(2)
  line.account(state)
  await pass(600)
  expect(beats()).toBe(0)
  line.lost()
  line.ended()
  await pass(1)
  await eventually(() => expect(beats()).toBe(1))
})

test('a restored page gets a new tab id, because the server no longer counts a tab that has left', async () => {
  await pass(3)
  await eventually(() => expect(tabs(api.presence.beOnline)).toHaveLength(1))
  turn('pagehide')
  await eventually(() => expect(tabs(api.presence.beGone)).toEqual(tabs(api.presence.beOnline)))
  turn('pageshow')
  await pass(0)
  await eventually(() => expect(new Set(tabs(api.presence.beOnline)).size).toBe(2))
})
