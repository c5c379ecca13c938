// The signs of life of a tab: one at once, a goodbye, and another id when the browser brings the page back.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { makeUser } from '#shared/testing/user.ts'
import { session } from '#web/lib/storage.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { startPresence } from './presence.ts'

const user = makeUser('free')
let stop: () => void

beforeEach(() => {
  session.save(server.startSession(user), user)
  const { isPremium, status, premiumEndDate } = user
  server.on(api.users.beOnline, () => ({ success: true, data: { isPremium, status, premiumEndDate } }))
  server.on(api.users.beGone, () => ({ success: true }))
  stop = startPresence(() => undefined)
})
afterEach(() => stop())

const tabs = (route: typeof api.users.beOnline | typeof api.users.beGone) => server.calls(route).map(({ body }) => body.tabId)
const turn = (type: 'pagehide' | 'pageshow') => window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }))

test('a page that comes back is another tab, because the server counts one that has left no more', async () => {
  await eventually(() => expect(tabs(api.users.beOnline)).toHaveLength(1))
  turn('pagehide')
  await eventually(() => expect(tabs(api.users.beGone)).toEqual(tabs(api.users.beOnline)))
  turn('pageshow')
  await eventually(() => expect(new Set(tabs(api.users.beOnline)).size).toBe(2))
})
