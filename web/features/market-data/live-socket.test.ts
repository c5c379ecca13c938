// When the live connection reconnects by itself, and when it waits for a user action.
import { expect, test } from 'vitest'
import { closeCodes } from '#shared/market-data/live.ts'
import { LiveSocket } from './live-socket.ts'

class ScriptedSocket extends EventTarget {
  readyState: number = WebSocket.OPEN
  readonly sent: string[] = []
  send(text: string): void {
    this.sent.push(text)
  }
  close(): void {
    // The test decides when it closes.
  }
}

function line() {
  const opened: ScriptedSocket[] = []
  const timers = new Set<() => void>()
  const socket = new LiveSocket({
    open: () => {
      const scripted = new ScriptedSocket()
      opened.push(scripted)
      return scripted as unknown as WebSocket
    },
    origin: 'https://tezi.example',
    token: () => 'token',
    after(_delayMs, run) {
      timers.add(run)
      return () => timers.delete(run)
    },
    random: () => 0,
    onServerTime: () => undefined,
  })
  const nothing = (): void => undefined
  const subscribe = () =>
    socket.subscribe(
      { slug: 'nifty', timeframe: '1', bars: 10 },
      { snapshot: nothing, update: nothing, condition: nothing, ended: nothing, connected: nothing },
    )
  return {
    socket,
    opened,
    subscribe,
    unsubscribe: subscribe(),
    closeWith: (code: number) => opened.at(-1)?.dispatchEvent(Object.assign(new Event('close'), { code })),
    runTimers: () => {
      const due = [...timers]
      timers.clear()
      for (const run of due) run()
    },
  }
}

test.each([closeCodes.session, closeCodes.replaced])('after close code %i it reconnects only on a user action', (code) => {
  const { socket, opened, closeWith, runTimers } = line()
  closeWith(code)
  runTimers()
  expect(opened).toHaveLength(1)
  socket.wake()
  expect(opened).toHaveLength(2)
})

test.each([closeCodes.noHello, closeCodes.busy, 1001, 1006])('after close code %i it reconnects by itself', (code) => {
  const { opened, closeWith, runTimers } = line()
  closeWith(code)
  runTimers()
  expect(opened).toHaveLength(2)
})

test('nothing is sent on a connection that the server is closing, before its close event', () => {
  const { opened, unsubscribe } = line()
  const [connection] = opened
  connection?.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ t: 'ready', nowMs: 0, beatMs: 10_000 }) }))
  expect(connection?.sent).toHaveLength(1)
  Object.assign(connection ?? {}, { readyState: WebSocket.CLOSING })
  unsubscribe()
  expect(connection?.sent).toHaveLength(1)
})

test('a connection that was lost while no chart was open is opened by the next chart', () => {
  const { opened, subscribe, unsubscribe, closeWith, runTimers } = line()
  unsubscribe()
  closeWith(1006)
  runTimers()
  expect(opened).toHaveLength(1)
  subscribe()
  expect(opened).toHaveLength(2)
})
