// What is stored, what is never stored, and a browser without storage.
import { expect, test } from 'vitest'
import { createSafeStorage, createSessionStore, readSessionEvent } from './browser-storage.ts'

const asha = { name: 'Asha Rao', email: 'asha@example.in', role: 'user', isPremium: false }

function fakeArea(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries))
  const area = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage
  return { kept, area }
}

function blocked(): Storage {
  throw new Error('SecurityError')
}

test('token and user are stored under the specified names', () => {
  const { kept, area } = fakeArea()
  createSessionStore(createSafeStorage(() => area)).save('a-token', asha)
  expect([...kept.keys()].toSorted()).toEqual(['sessionToken', 'user'])
  expect(kept.get('sessionToken')).toBe('a-token')
})

test('only display fields of the user are stored', () => {
  const { kept, area } = fakeArea()
  const whole = { ...asha, phone: '9876543210', utrNo: '412709835516' }
  createSessionStore(createSafeStorage(() => area)).saveUser(whole)
  expect(JSON.parse(kept.get('user') ?? '')).toEqual(asha)
})

test('clearing removes both and notifies the listeners until they unsubscribe', () => {
  const { kept, area } = fakeArea({ other: 'stays' })
  const session = createSessionStore(createSafeStorage(() => area))
  let notified = 0
  const stop = session.onClear(() => notified++)
  session.save('a-token', asha)
  session.clear()
  stop()
  session.clear()
  expect([...kept.keys()]).toEqual(['other'])
  expect(notified).toBe(1)
})

test('a new session notifies, and a change of its user does not', () => {
  const session = createSessionStore(createSafeStorage(() => fakeArea().area))
  let notified = 0
  const stop = session.onSave(() => notified++)
  session.saveUser(asha)
  expect(notified).toBe(0)
  session.save('a-token', asha)
  expect(notified).toBe(1)
  stop()
  session.save('another-token', asha)
  expect(notified).toBe(1)
})

test('the session of another user is cleared before the new one is stored', () => {
  const { kept, area } = fakeArea()
  const session = createSessionStore(createSafeStorage(() => area))
  const tokens: (string | undefined)[] = []
  session.onClear(() => tokens.push(session.token()))
  session.save('a-token', asha)
  session.save('renewed', { ...asha, isPremium: true })
  expect(tokens).toEqual([])
  session.save('another-token', { ...asha, email: 'ravi@example.in' })
  expect(tokens).toEqual([undefined])
  expect(kept.get('sessionToken')).toBe('another-token')
})

test('a session cleared by another tab notifies, and does not touch what that tab has stored since', () => {
  const { kept, area } = fakeArea({ sessionToken: 'of-the-next-user' })
  const session = createSessionStore(createSafeStorage(() => area))
  let notified = 0
  session.onClear(() => notified++)
  session.clearedElsewhere()
  expect([notified, kept.get('sessionToken')]).toEqual([1, 'of-the-next-user'])
})

test('with blocked storage the session is kept in memory', () => {
  const session = createSessionStore(createSafeStorage(blocked))
  session.save('a-token', asha)
  expect(session.token()).toBe('a-token')
  expect(session.user()).toEqual(asha)
  session.clear()
  expect(session.token()).toBeUndefined()
})

test('a full storage does not return an older value instead of the new one', () => {
  const { area } = fakeArea({ sessionToken: 'old' })
  const full: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
    getItem: (key) => area.getItem(key),
    setItem: blocked,
    removeItem: (key) => area.removeItem(key),
  }
  const storage = createSafeStorage(() => full as Storage)
  storage.set('sessionToken', 'new')
  expect(storage.get('sessionToken')).toBe('new')
})

test.each(['', 'null', '{', '[]', '{"name":"x"}', '"text"'])('the stored user %j is ignored', (text) => {
  const { area } = fakeArea({ user: text })
  expect(createSessionStore(createSafeStorage(() => area)).user()).toBeUndefined()
})

test.each([
  [{ key: null, newValue: null }, 'cleared'],
  [{ key: 'sessionToken', newValue: null }, 'cleared'],
  [{ key: 'sessionToken', newValue: 'next' }, 'saved'],
  [{ key: 'user', newValue: null }, undefined],
])('the storage event %j of another tab means that the session was %s', (event, change) => {
  expect(readSessionEvent(event)).toBe(change)
})
