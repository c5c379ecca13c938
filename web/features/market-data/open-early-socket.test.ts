// The connection that is opened before its code: what the code sees of it, and when it gets none.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEarlySocket, takeEarlySocket } from './open-early-socket.ts'
import { session } from '#web/lib/browser-storage.ts'

class ScriptedSocket extends EventTarget {
  readyState: number = WebSocket.CONNECTING
  readonly sent: string[] = []
  constructor() {
    super()
    opened.push(this)
  }
  send(text: string): void {
    this.sent.push(text)
  }
  close(): void {
    this.readyState = WebSocket.CLOSED
  }
  open(): void {
    this.readyState = WebSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  receive(data: string): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

const opened: ScriptedSocket[] = []
const url = 'wss://tezi.example/api/v1/market/live'
const hello = '{"t":"hello","v":1,"token":"token","isPage":true}'
const constants = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }

beforeEach(() => {
  opened.length = 0
  vi.stubGlobal('WebSocket', Object.assign(ScriptedSocket, constants))
  session.save('token', { name: 'Asha Rao', email: 'asha@example.in', role: 'user', isPremium: false })
  openEarlySocket('https://tezi.example', 'token')
})

afterEach(() => {
  takeEarlySocket(url)
  session.clear()
  vi.unstubAllGlobals()
})

/** What its owner sees, and does: it says hello, as always. */
async function seen(taken: WebSocket | undefined): Promise<string[]> {
  const events: string[] = []
  taken?.addEventListener('open', () => {
    events.push('open')
    taken.send(hello)
  })
  taken?.addEventListener('message', ({ data }) => void events.push(String(data)))
  await Promise.resolve()
  return events
}

test('another address gets no connection', () => {
  expect(takeEarlySocket('wss://other.example/api/v1/market/live')).toBeUndefined()
  expect(takeEarlySocket(url)).toBeDefined()
})

test('a connection that was closed meanwhile is not used', () => {
  opened[0]?.close()
  expect(takeEarlySocket(url)).toBeUndefined()
})

test('the connection of another session is closed', () => {
  session.save('next', { name: 'Asha Rao', email: 'asha@example.in', role: 'user', isPremium: false })
  expect(takeEarlySocket(url)).toBeUndefined()
  expect(opened[0]?.readyState).toBe(WebSocket.CLOSED)
})

test('it is taken once; its messages are repeated, and the hello is not', async () => {
  opened[0]?.open()
  opened[0]?.receive('ready')
  const taken = takeEarlySocket(url)
  expect(takeEarlySocket(url)).toBeUndefined()
  const events = await seen(taken)
  opened[0]?.receive('beat')
  taken?.send('sub')
  expect(events).toEqual(['open', 'ready', 'beat'])
  expect(opened[0]?.sent).toEqual([hello, 'sub'])
})

test('a connection that opens after it was taken says hello once', async () => {
  const events = await seen(takeEarlySocket(url))
  opened[0]?.open()
  expect(events).toEqual(['open'])
  expect(opened[0]?.sent).toEqual([hello])
})
