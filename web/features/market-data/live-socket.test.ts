// When the live connection reconnects by itself, when it waits for a user action, and how a page follows its account.
import { expect, test } from 'vitest'
import { closeCodes, type ServerMessage } from '#shared/market-data/live/contract.ts'
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

function line(random = 0) {
  const opened: ScriptedSocket[] = []
  const timers = new Set<() => void>()
  const delaysMs: number[] = []
  const socket = new LiveSocket({
    open: () => {
      const scripted = new ScriptedSocket()
      opened.push(scripted)
      return scripted as unknown as WebSocket
    },
    origin: 'https://tezi.example',
    token: () => 'token',
    after(delayMs, run) {
      delaysMs.push(delayMs)
      timers.add(run)
      return () => timers.delete(run)
    },
    random: () => random,
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
    delaysMs,
    receive: (message: ServerMessage) => opened.at(-1)?.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) })),
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

test('clients of a server that stops return spread over five seconds', () => {
  const delayOf = (code: number, random: number) => {
    const { closeWith, delaysMs } = line(random)
    closeWith(code)
    return delaysMs.at(-1)
  }
  expect([0, 0.5, 1].map((random) => delayOf(1001, random))).toEqual([150, 475, 800])
  expect([0, 0.5, 1].map((random) => delayOf(1006, random))).toEqual([150, 225, 300])
})

test('the account is followed without a chart: its state at each connect and change, the loss, and the end of the session', () => {
  const { socket, opened, unsubscribe, receive, closeWith, runTimers } = line()
  unsubscribe()
  const seen: unknown[] = []
  const free = { isPremium: false, status: null, premiumEndDate: null }
  const pending = { ...free, status: 'pending' } as const
  const listener = { account: (account: unknown) => seen.push(account), lost: () => seen.push('lost'), ended: () => seen.push('ended') }
  const stop = socket.watchAccount(listener)
  receive({ t: 'ready', nowMs: 0, beatMs: 10_000, account: free })
  receive({ t: 'account', account: pending })
  const stopLate = socket.watchAccount({ ...listener })
  expect(seen).toEqual([free, pending, pending])
  stopLate()
  closeWith(1006)
  runTimers()
  expect(opened).toHaveLength(2)
  // A server of an older release does not send the state.
  receive({ t: 'ready', nowMs: 0, beatMs: 10_000 })
  closeWith(closeCodes.session)
  expect(seen.slice(3)).toEqual(['lost', 'lost', 'ended'])
  stop()
  socket.wake()
  expect(opened).toHaveLength(2)
})

test('the quotes of the last group are requested, again after a reconnect, and not of a server that does not know them', () => {
  const { socket, opened, unsubscribe, receive, closeWith, runTimers } = line()
  unsubscribe()
  const account = { isPremium: true, status: 'paid', premiumEndDate: null } as const
  const seen: unknown[] = []
  const listener = { quotes: (quotes: unknown) => seen.push(quotes), connected: () => undefined }
  const stopForex = socket.watchQuotes('FOREX', listener)
  const sent = () => (opened.at(-1)?.sent ?? []).map((text) => JSON.parse(text) as unknown)
  receive({ t: 'ready', nowMs: 0, beatMs: 10_000, account })
  expect(sent()).toEqual([{ t: 'quotes', group: 'FOREX' }])
  const stopCrypto = socket.watchQuotes('CRYPTO', listener)
  stopForex()
  expect(sent()).toEqual([
    { t: 'quotes', group: 'FOREX' },
    { t: 'quotes', group: 'CRYPTO' },
  ])
  receive({ t: 'quotes', group: 'FOREX', isAll: true, quotes: [] })
  expect(seen).toEqual([])
  receive({ t: 'quotes', group: 'CRYPTO', isAll: true, quotes: [] })
  expect(seen).toEqual([[]])
  closeWith(1006)
  runTimers()
  receive({ t: 'ready', nowMs: 0, beatMs: 10_000, account })
  expect(sent()).toEqual([{ t: 'quotes', group: 'CRYPTO' }])
  closeWith(1006)
  runTimers()
  receive({ t: 'ready', nowMs: 0, beatMs: 10_000 })
  expect(sent()).toEqual([])
  stopCrypto()
})
