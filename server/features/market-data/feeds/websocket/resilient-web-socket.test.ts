// The WebSocket loop against a local server: rate limits, timeouts, renewal and rejections.
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { FeedState } from '../../feed.ts'
import type { IntakeLimits } from './websocket-connection.ts'
import type { SocketLimits, SocketLink } from './subscription-session.ts'
import { ResilientWebSocket } from './resilient-web-socket.ts'
import { manualClock, settle } from '../testing/manual-clock.ts'

const startMs = Date.parse('2026-11-20T06:30:00Z')
const limits: SocketLimits = { messagesPerSecond: 4, symbolsMax: 30, silenceMs: 30_000, renewAfterMs: 3_600_000 }

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

/** A provider that confirms `SUB x` with `OK x`, rejects symbols with a minus and ignores those with a question mark. */
async function provider(options: { limits?: Partial<SocketLimits>; intake?: IntakeLimits; status?: () => number | undefined } = {}) {
  const clock = manualClock(startMs)
  const dialsMs: number[] = []
  const received: { text: string; atMs: number; line: number }[] = []
  const lines: WebSocket[] = []
  let activity = 0
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: false,
    verifyClient: (_info, done) => {
      activity += 1
      dialsMs.push(clock.now() - startMs)
      const status = options.status?.()
      done(status === undefined, status)
    },
  })
  server.on('connection', (socket) => {
    const line = lines.push(socket) - 1
    socket.on('ping', () => (activity += 1))
    socket.on('close', () => (activity += 1))
    socket.on('message', (data: Buffer) => {
      activity += 1
      const text = data.toString()
      received.push({ text, atMs: clock.now() - startMs, line })
      if (text.startsWith('SUB ') && !text.includes('?')) socket.send(text.includes('-') ? `NO ${text.slice(4)}` : `OK ${text.slice(4)}`)
    })
  })
  await new Promise((resolve) => server.on('listening', resolve))
  const log: string[] = []
  const links: SocketLink[] = []
  const loop = new ResilientWebSocket({
    name: 'Testex',
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    limits: { ...limits, ...options.limits },
    ...(options.intake && { intake: options.intake }),
    clock,
    log: (line, details) => void log.push(`${line} ${JSON.stringify(details ?? {})}`),
    rejection: (status) => (status === 403 ? 'the key is wrong' : undefined),
    start(link) {
      links.push(link)
      return {
        subscribe: (symbols) => symbols.forEach((symbol) => link.send(`SUB ${symbol}`)),
        unsubscribe: (symbols) => symbols.forEach((symbol) => link.send(`END ${symbol}`)),
        receive(frame) {
          const [word, symbol = '', price] = frame.toString().split(' ')
          if (word === 'OK') link.accepted([symbol])
          else if (word === 'NO') link.refused(symbol, 'unknown')
          else if (word === 'T') link.trade(symbol, { timeMs: clock.now(), price: Number(price), size: 1, isTakerBuy: null })
          else throw new Error('Cannot be read')
        },
      }
    },
  })
  opened.push(async () => {
    await loop.close()
    for (const line of lines) line.terminate()
    await new Promise((resolve) => server.close(resolve))
  })
  const rest = () => settle([() => activity, () => clock.activity()])

  async function pass(ms: number): Promise<void> {
    await rest()
    const endMs = clock.now() + ms
    for (let due = clock.nextDueMs(); due !== undefined && due <= endMs; due = clock.nextDueMs()) {
      clock.advance(due - clock.now())
      await rest()
    }
    clock.advance(endMs - clock.now())
    await rest()
  }

  function watch(symbol: string) {
    const states: FeedState[] = []
    const prices: number[] = []
    const stop = loop.watch(symbol, {
      state: (state) => void states.push(state),
      minute: () => expect.unreachable('only trades'),
      trade: ({ price }) => void prices.push(price),
    })
    return { states, prices, stop, kinds: () => states.map((state) => state.kind) }
  }
  const report = async (line: number, text: string) => {
    lines[line]?.send(text)
    await rest()
  }
  return { clock, loop, dialsMs, received, lines, links, log, pass, watch, report }
}

describe('rejections', () => {
  test('a symbol beyond the limit of one connection', async () => {
    const { watch, pass } = await provider({ limits: { symbolsMax: 2 } })
    const all = ['A', 'B', 'C'].map(watch)
    await pass(1000)
    expect(all.map(({ states }) => states.at(-1))).toMatchObject([
      { kind: 'live' },
      { kind: 'live' },
      { kind: 'refused', reason: /no room/ },
    ])
  })

  test('an invalid key: all symbols are rejected, and retries are slow', async () => {
    const { watch, pass, dialsMs } = await provider({ status: () => 403 })
    const one = watch('A')
    await pass(299_000)
    expect(one.states.at(-1)).toEqual({ kind: 'refused', reason: 'the key is wrong' })
    expect(dialsMs).toHaveLength(1)
    await pass(2000)
    expect(dialsMs).toHaveLength(2)
  })

  test('an unconfirmed subscription ends the connection', async () => {
    const { watch, pass, lines } = await provider()
    const one = watch('A?')
    await pass(10_500)
    expect(one.states).toContainEqual(expect.objectContaining({ kind: 'down', reason: 'Testex did not confirm a subscription' }))
    expect(lines[0]?.readyState).toBe(3)
  })
})

describe('what the other side may send', () => {
  const intake: IntakeLimits = {
    messagesAtOnce: 50,
    messagesPerSecond: 10,
    bytesAtOnce: 2_000,
    bytesPerSecond: 100,
    bytesOfMessageMax: 500,
  }
  const flooded = { kind: 'refused', reason: expect.stringContaining('sends more than') as string }

  test.each([
    ['messages', 'T A 1', 60],
    ['bytes', `T A 1${' '.repeat(400)}`, 6],
  ])('%s beyond the limit end the connection, which is tried again after minutes', async (_what, text, count) => {
    const { watch, pass, lines, dialsMs } = await provider({ intake })
    const one = watch('A')
    await pass(1000)
    for (let sent = 0; sent < count; sent += 1) lines[0]?.send(text)
    await pass(1000)
    expect([one.states.at(-1), lines[0]?.readyState]).toEqual([flooded, 3])
    await pass(290_000)
    expect(dialsMs).toHaveLength(1)
    await pass(20_000)
    expect(one.states.at(-1)).toEqual({ kind: 'live' })
  })

  test('pings count as well', async () => {
    const { watch, pass, lines } = await provider({ intake })
    const one = watch('A')
    await pass(1000)
    for (let sent = 0; sent < 60; sent += 1) lines[0]?.ping()
    await pass(1000)
    expect(one.states.at(-1)).toEqual(flooded)
  })

  test('a message above the limit ends the connection', async () => {
    const { watch, pass, lines } = await provider({ intake })
    const one = watch('A')
    await pass(1000)
    lines[0]?.send('x'.repeat(501))
    await pass(100)
    expect(one.states).toContainEqual(expect.objectContaining({ kind: 'down', reason: expect.stringContaining('payload') as string }))
  })

  test('a steady stream below the limit is kept', async () => {
    const { watch, pass, lines, dialsMs } = await provider({ intake: { ...intake, bytesPerSecond: 1_000 } })
    const one = watch('A')
    await pass(1000)
    for (let second = 0; second < 30; second += 1) {
      for (let sent = 0; sent < 10; sent += 1) lines[0]?.send('T A 1')
      await pass(1000)
    }
    expect([one.prices.length, dialsMs.length]).toEqual([300, 1])
  })
})

describe('the rate limit', () => {
  test('no second has more messages than the provider accepts, and none is lost', async () => {
    const { watch, pass, received } = await provider()
    const all = Array.from({ length: 14 }, (_, i) => watch(`S${i}`))
    await pass(5000)
    expect(all.every(({ states }) => states.at(-1)?.kind === 'live')).toBe(true)
    expect(received.map(({ text }) => text)).toEqual(Array.from({ length: 14 }, (_, i) => `SUB S${i}`))
    for (const { atMs } of received)
      expect(received.filter((one) => one.atMs >= atMs && one.atMs < atMs + 1000).length).toBeLessThanOrEqual(4)
  })

  test('reconnects back off to at most once a minute, and reset after a stable connection', async () => {
    let status: number | undefined = 503
    const { watch, pass, dialsMs, lines } = await provider({ status: () => status })
    const one = watch('A')
    await pass(400_000)
    const waits = dialsMs.slice(1).map((ms, i) => ms - (dialsMs[i] ?? 0))
    expect(waits.slice(0, 7)).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 45_000])
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
    status = undefined
    await pass(100_000)
    expect(one.states.at(-1)?.kind).toBe('live')
    lines.at(-1)?.terminate()
    await pass(0)
    expect(one.states.at(-1)).toMatchObject({ kind: 'down', retryInMs: 750 })
  })
})

describe('an outage', () => {
  test('is reported to a new symbol immediately, with the number of failures', async () => {
    const { watch, pass } = await provider({ status: () => 503 })
    watch('A')
    await pass(1000)
    const retrying = watch('B')
    expect(retrying.states).toMatchObject([{ kind: 'down', failures: 2 }])
    expect(watch('A').states).toMatchObject([{ kind: 'down', failures: 2 }])
  })

  test('of an invalid key is reported to a new symbol immediately', async () => {
    const { watch, pass } = await provider({ status: () => 403 })
    watch('A')
    await pass(0)
    expect(watch('B').states).toEqual([{ kind: 'refused', reason: 'the key is wrong' }])
  })

  test('is unknown again after a retry without listeners, because the next one has to connect', async () => {
    let status: number | undefined = 503
    const { watch, pass } = await provider({ status: () => status })
    const one = watch('A')
    await pass(100)
    one.stop()
    await pass(1000)
    status = undefined
    const other = watch('A')
    await pass(100)
    expect(other.kinds()).toEqual(['connecting', 'connecting', 'live'])
  })
})

describe('a connection', () => {
  test('that is silent is pinged at half the limit, and kept while it responds', async () => {
    const { watch, pass, dialsMs } = await provider()
    watch('A')
    await pass(600_000)
    expect(dialsMs).toHaveLength(1)
  })

  test('that is old is replaced without an interruption: the old one is used until the new one is confirmed', async () => {
    const { watch, pass, report, lines, links } = await provider()
    const one = watch('A')
    await pass(1000)
    links[0]?.renew('the server stops')
    await report(0, 'T A 1')
    await pass(0)
    await report(1, 'T A 2')
    expect(one.kinds()).toEqual(['connecting', 'connecting', 'live', 'live'])
    expect(one.prices).toEqual([1, 2])
    expect(lines.map(({ readyState }) => readyState)).toEqual([3, 1])
  })

  test('is renewed before the maximum age of the provider', async () => {
    const { watch, pass, dialsMs } = await provider()
    const one = watch('A')
    await pass(3_600_000)
    expect(dialsMs).toEqual([0, 3_510_000])
    expect(one.kinds()).not.toContain('down')
  })

  test('that cannot be replaced is kept, and replaced later', async () => {
    let status: number | undefined
    const { watch, pass, links, dialsMs, report } = await provider({ status: () => status })
    const one = watch('A')
    await pass(1000)
    status = 503
    links[0]?.renew('the server stops')
    await pass(1000)
    await report(0, 'T A 1')
    expect(one.states.at(-1)?.kind).toBe('live')
    expect(one.prices).toEqual([1])
    status = undefined
    await pass(60_000)
    expect(dialsMs).toHaveLength(3)
    await report(1, 'T A 2')
    expect(one.prices).toEqual([1, 2])
  })

  test('with malformed frames is kept; history is requested at intervals', async () => {
    const { watch, pass, report, log, dialsMs, lines } = await provider({ limits: { silenceMs: 600_000 } })
    const one = watch('A')
    await pass(1000)
    for (let i = 0; i < 500; i += 1) lines[0]?.send('{"cut')
    await report(0, '{"cut')
    await pass(1000)
    expect(one.kinds()).toEqual(['connecting', 'connecting', 'live', 'live'])
    expect(log.filter((line) => line.includes('cannot be read'))).toEqual([expect.stringContaining('"count":1}')])
    expect(dialsMs).toHaveLength(1)
    await pass(60_000)
    await report(0, '{"cut')
    await pass(120_000)
    expect(log.filter((line) => line.includes('cannot be read'))).toEqual([
      expect.stringContaining('"count":1}'),
      expect.stringContaining('"count":500}'),
      expect.stringContaining('"count":1}'),
    ])
  })

  test('whose end or opening is handled wrongly is reported, and dialled again', async () => {
    const { loop, pass, log, dialsMs, lines, links } = await provider()
    let isBroken = true
    const states: FeedState[] = []
    loop.watch('A', {
      state(state) {
        states.push(state)
        if (isBroken && states.length > 1) throw new Error('broken')
      },
      minute: () => undefined,
      trade: () => undefined,
    })
    await pass(1000)
    lines[0]?.terminate()
    await pass(0)
    isBroken = false
    await pass(2000)
    expect(log).toContainEqual(expect.stringContaining('broken'))
    expect(states.at(-1)).toEqual({ kind: 'live' })
    expect([dialsMs.length, links.length]).toEqual([2, 2])
  })

  test('ends seconds after the last listener left, unless another one arrives before', async () => {
    const { watch, pass, received, dialsMs, clock, lines } = await provider()
    const one = watch('A')
    await pass(1000)
    one.stop()
    await pass(4000)
    const other = watch('B')
    await pass(60_000)
    expect([dialsMs.length, other.states.at(-1)?.kind]).toEqual([1, 'live'])
    other.stop()
    await pass(10_000)
    expect(received.map(({ text }) => text)).toEqual(['SUB A', 'END A', 'SUB B', 'END B'])
    expect(lines[0]?.readyState).toBe(3)
    expect(clock.nextDueMs()).toBeUndefined()
  })

  test('serves two listeners of a symbol with one subscription', async () => {
    const { watch, pass, received, report } = await provider()
    const one = watch('A')
    await pass(1000)
    const other = watch('A')
    expect(other.kinds()).toEqual(['live'])
    one.stop()
    await report(0, 'T A 3')
    expect([one.prices, other.prices]).toEqual([[], [3]])
    expect(received).toHaveLength(1)
  })
})
