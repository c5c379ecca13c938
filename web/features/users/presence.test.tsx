// Presence heartbeats of a tab: one at once, a goodbye, and a new id when the browser restores the page.
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

test('a restored page gets a new tab id, because the server no longer counts a tab that has left', async () => {
  await eventually(() => expect(tabs(api.users.beOnline)).toHaveLength(1))
  turn('pagehide')
  await eventually(() => expect(tabs(api.users.beGone)).toEqual(tabs(api.users.beOnline)))
  turn('pageshow')
  await eventually(() => expect(new Set(tabs(api.users.beOnline)).size).toBe(2))
})
