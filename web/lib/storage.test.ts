// What is kept, what is never kept, and a browser that keeps nothing.
import { expect, test } from 'vitest'
import { createChoiceStore, createSafeStorage, createSessionStore, isSessionEnd } from './storage.ts'

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

test('token and user are kept under the names of the spec', () => {
  const { kept, area } = fakeArea()
  createSessionStore(createSafeStorage(() => area)).save('a-token', asha)
  expect([...kept.keys()].toSorted()).toEqual(['sessionToken', 'user'])
  expect(kept.get('sessionToken')).toBe('a-token')
})

test('only display fields of the user are kept', () => {
  const { kept, area } = fakeArea()
  const whole = { ...asha, phone: '9876543210', utrNo: '412709835516' }
  createSessionStore(createSafeStorage(() => area)).saveUser(whole)
  expect(JSON.parse(kept.get('user') ?? '')).toEqual(asha)
})

test('clearing forgets both and tells the listeners until they stop', () => {
  const { kept, area } = fakeArea({ other: 'stays' })
  const session = createSessionStore(createSafeStorage(() => area))
  let told = 0
  const stop = session.onClear(() => told++)
  session.save('a-token', asha)
  session.clear()
  stop()
  session.clear()
  expect([...kept.keys()]).toEqual(['other'])
  expect(told).toBe(1)
})

test('a new session is told, and a change of its user is not', () => {
  const session = createSessionStore(createSafeStorage(() => fakeArea().area))
  let told = 0
  const stop = session.onSave(() => told++)
  session.saveUser(asha)
  expect(told).toBe(0)
  session.save('a-token', asha)
  expect(told).toBe(1)
  stop()
  session.save('another-token', asha)
  expect(told).toBe(1)
})

test('a browser that blocks storage still holds the session until the page goes', () => {
  const session = createSessionStore(createSafeStorage(blocked))
  session.save('a-token', asha)
  expect(session.token()).toBe('a-token')
  expect(session.user()).toEqual(asha)
  session.clear()
  expect(session.token()).toBeUndefined()
})

test('a full storage does not leave an older value in front of the new one', () => {
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

test.each(['', 'null', '{', '[]', '{"name":"x"}', '"text"'])('the stored user %j counts as none', (text) => {
  const { area } = fakeArea({ user: text })
  expect(createSessionStore(createSafeStorage(() => area)).user()).toBeUndefined()
})

test.each([
  [{ key: null, newValue: null }, true],
  [{ key: 'sessionToken', newValue: null }, true],
  [{ key: 'sessionToken', newValue: 'next' }, false],
  [{ key: 'user', newValue: null }, false],
])('the storage event %j of another tab ends the session: %s', (event, isEnd) => {
  expect(isSessionEnd(event)).toBe(isEnd)
})

test('small choices are kept under a prefix, and every listener hears of a new one until it stops', () => {
  const kept = new Map<string, string>()
  const store = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: string) => void kept.set(key, value),
    remove: () => undefined,
  }
  const choices = createChoiceStore(store, 'chart.')
  expect(choices.get('engine')).toBeUndefined()
  let heard = 0
  const stop = choices.onChange(() => (heard += 1))
  choices.set('engine', 'tezi')
  expect(choices.get('engine')).toBe('tezi')
  expect([...kept]).toEqual([['chart.engine', 'tezi']])
  stop()
  choices.set('engine', 'automatic')
  expect(heard).toBe(1)
})
