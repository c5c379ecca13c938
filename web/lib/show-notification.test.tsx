// System notifications in browsers that have none.
import { afterEach, expect, test, vi } from 'vitest'
import { askForNotifications, notificationState, showNotification } from './show-notification.ts'

afterEach(() => vi.unstubAllGlobals())

test('over plain http none are shown, and nobody is asked', async () => {
  const ask = vi.fn<() => Promise<string>>()
  vi.stubGlobal(
    'Notification',
    Object.assign(function Notification() {}, { permission: 'default', requestPermission: ask }),
  )
  vi.stubGlobal('isSecureContext', false)
  expect(await askForNotifications()).toBe('needs-https')
  expect(ask).not.toHaveBeenCalled()
  expect(showNotification('BTC/USD 5m', {})).toBe(false)
})

test('a browser without notifications, as in apps, shows none', () => {
  vi.stubGlobal('Notification', undefined)
  Reflect.deleteProperty(window, 'Notification')
  expect(notificationState()).toBe('missing')
})

test('a browser that throws, as on phones, shows none', () => {
  class Throwing {
    static readonly permission = 'granted'
    constructor() {
      throw new TypeError('Illegal constructor')
    }
  }
  vi.stubGlobal('Notification', Throwing)
  expect(notificationState()).toBe('allowed')
  expect(showNotification('BTC/USD 5m', {})).toBe(false)
})

test('a permission that is given is used', async () => {
  const shown: string[] = []
  class Allowing extends EventTarget {
    static permission = 'default'
    static requestPermission = () => Promise.resolve((Allowing.permission = 'granted'))
    constructor(title: string) {
      super()
      shown.push(title)
    }
  }
  vi.stubGlobal('Notification', Allowing)
  expect(await askForNotifications()).toBe('allowed')
  expect(showNotification('BTC/USD 5m', {})).toBe(true)
  expect(shown).toEqual(['BTC/USD 5m'])
})
