// Live candles over a real socket: access, what a subscriber sees, and how it ends.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { cookiesOf, listenForLive, openLive, openSocket, type Watcher } from '#server/testing/live.ts'
import { rowsOf } from '#shared/market-data/candle-columns.ts'
import { closeCodes, liveVersion, subscriptionsMax } from '#shared/market-data/live/contract.ts'

let app: TestApp
let url: string
let premium: Browser
let free: Browser
let premiumId: string
const open: Watcher[] = []

const inAYear = new Date('2027-11-20T06:00:00Z')
const sub = (slug: string, id = 1) => ({ t: 'sub', id, slug, timeframe: '1', bars: 50 }) as const

async function live(browser: Browser): Promise<Watcher> {
  const watcher = await openLive(url, browser)
  open.push(watcher)
  return watcher
}

/** Advances the demo market until a frame of a kind arrives. */
async function tickUntil<T extends 'upd' | 'end'>(watcher: Watcher, kind: T) {
  const timer = setInterval(() => (app.clock.nowMs += 500), 50)
  try {
    return await watcher.next(kind)
  } finally {
    clearInterval(timer)
  }
}

beforeAll(async () => {
  app = await testApp()
  url = await listenForLive(app.app)
  const paid = await app.addUser({ status: 'paid', premium_start: new Date('2026-11-01T00:00:00Z'), premium_end: inAYear })
  premiumId = paid.id
  premium = app.browser()
  await premium.signIn(paid.email)
  free = app.browser({ address: '10.0.0.2' })
  await free.signIn((await app.addUser()).email)
})

beforeEach(() => {
  for (const watcher of open.splice(0)) watcher.socket.terminate()
})

afterAll(async () => {
  for (const watcher of open) watcher.socket.terminate()
  await app.close()
})

describe('a socket is rejected', () => {
  it('to a page of another site', async () => {
    const headers = { cookie: cookiesOf(premium), origin: 'https://evil.example' }
    await expect(openSocket(url, headers)).rejects.toThrow('refused with 403')
    await expect(openSocket(url, { ...headers, origin: 'null' })).rejects.toThrow('refused with 403')
  })

  it('at any other path', async () => {
    await expect(openSocket(url.replace('/market/live', '/market/lives'))).rejects.toThrow('refused with 404')
    await expect(openSocket(url.replace('/api/v1/market/live', '/api/v1/user'))).rejects.toThrow('refused with 401')
  })

  it.each(['h2c', 'websocket', 'tezi/9'])('at no other path, which answers a request with Upgrade: %s as usual', async (protocol) => {
    const address = url.replace('ws:', 'http:').replace('/api/v1/market/live', '/healthz')
    const request = get(address, { headers: { connection: 'Upgrade', upgrade: protocol } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(200)
  })

  it.each([
    ['neither half of the session', () => ({ cookie: '', token: '' })],
    ['the cookie alone', () => ({ cookie: cookiesOf(premium), token: '' })],
    ['the token alone', () => ({ cookie: '', token: premium.sessionToken ?? '' })],
    ['halves of two sessions', () => ({ cookie: cookiesOf(free), token: premium.sessionToken ?? '' })],
  ])('with %s', async (_name, halves) => {
    const { cookie, token } = halves()
    const watcher = await openSocket(`${url}?token=${premium.sessionToken ?? ''}`, { cookie })
    watcher.send({ t: 'hello', v: liveVersion, token })
    expect((await watcher.closed).code).toBe(4401)
    expect(watcher.frames).toEqual([])
  })

  it('that subscribes before its hello', async () => {
    const watcher = await openSocket(url, { cookie: cookiesOf(premium) })
    watcher.send(sub('nifty'))
    expect((await watcher.closed).code).toBe(4401)
  })

  it.each([
    ['no JSON', 'hello'],
    ['an unknown kind', '{"t":"all"}'],
    ['an unknown timeframe', '{"t":"sub","id":1,"slug":"nifty","timeframe":"7","bars":5}'],
    ['too many candles', '{"t":"sub","id":1,"slug":"nifty","timeframe":"1","bars":1000000}'],
    ['bytes', Buffer.from([1, 2, 3])],
    ['a second hello', '{"t":"hello","v":1,"token":"x"}'],
  ])('that sends %s', async (_name, message) => {
    const watcher = await live(premium)
    watcher.send(message)
    expect((await watcher.closed).code).toBe(4429)
  })

  it('that sends a message over the size limit', async () => {
    const watcher = await live(premium)
    watcher.send('x'.repeat(5_000))
    expect((await watcher.closed).code).toBe(1009)
  })

  it('that floods subscriptions', async () => {
    const watcher = await live(premium)
    for (let count = 0; count < 100; count += 1) watcher.send({ t: 'unsub', id: count })
    expect((await watcher.closed).code).toBe(4429)
  })

  it('that sends unsolicited pongs repeatedly', async () => {
    const watcher = await live(premium)
    for (let count = 0; count < 100; count += 1) watcher.socket.pong()
    expect((await watcher.closed).code).toBe(4429)
  })

  it('that floods pings', async () => {
    const watcher = await live(premium)
    for (let count = 0; count < 100; count += 1) watcher.socket.ping()
    expect((await watcher.closed).code).toBe(4429)
  })
})

describe('the thirteenth socket of a user', () => {
  it('is accepted, and the oldest one is closed', async () => {
    const twelve: Watcher[] = []
    for (let count = 0; count < 12; count += 1) twelve.push(await live(premium))
    const [oldest, ...others] = twelve
    const newest = await live(premium)
    expect((await oldest?.closed)?.code).toBe(closeCodes.replaced)
    expect([newest, ...others].every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true)
    newest.send(sub('btc-usdt'))
    expect((await newest.next('snap')).candles).toHaveLength(50)
  })
})

describe('a subscription', () => {
  it('to a premium instrument is rejected for a free user', async () => {
    const watcher = await live(free)
    for (const slug of ['btc-usdt', 'banknifty', 'reliance']) {
      watcher.send(sub(slug))
      expect(await watcher.next('end')).toMatchObject({ code: 'http.premiumRequired' })
    }
    expect(watcher.frames.filter(({ t }) => t === 'snap' || t === 'upd')).toEqual([])
  })

  it('to an unknown instrument is rejected', async () => {
    const watcher = await live(premium)
    for (const slug of ['tesla', '__proto__', 'NIFTY']) {
      watcher.send(sub(slug))
      expect(await watcher.next('end')).toMatchObject({ code: 'instruments.unknown' })
    }
  })

  it('is limited in number', async () => {
    const watcher = await live(premium)
    for (let id = 1; id <= subscriptionsMax; id += 1) watcher.send(sub('nifty', id))
    for (let id = 1; id <= subscriptionsMax; id += 1) await watcher.next('snap')
    watcher.send(sub('nifty', 99))
    expect(await watcher.next('end')).toMatchObject({ id: 99, code: 'live.tooManySubscriptions' })
  })

  it('with many candles waits for the budget of the user, and others do not', async () => {
    const [one, other] = [await live(premium), await live(premium)]
    const honest = await live(free)
    for (let id = 1; id <= subscriptionsMax; id += 1) one.send({ ...sub('nifty', id), bars: 1_500 })
    for (let id = 1; id <= subscriptionsMax; id += 1) other.send({ ...sub('nifty', id), bars: 1_500 })
    for (let count = 0; count < 4; count += 1) await one.next('snap')
    honest.send(sub('nifty'))
    expect((await honest.next('snap')).candles).toHaveLength(50)
    const snapshots = [one, other].flatMap(({ frames }) => frames.filter(({ t }) => t === 'snap')).length
    // Two a second more, however slow the machine is.
    expect(snapshots).toBeLessThan(40)
    expect([one, other].every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true)
  })

  it('reports when the candles of a source start, if all of them are sent', async () => {
    const watcher = await live(free)
    watcher.send({ ...sub('nifty'), timeframe: '1M', bars: 1_500 })
    const snap = await watcher.next('snap')
    expect(snap).toMatchObject({ hasOlder: false, startsAtMs: snap.candles[0]?.[0] })
  })

  it('starts with labelled candles, and continues without a gap', async () => {
    const watcher = await live(free)
    watcher.send(sub('nifty'))
    const snap = await watcher.next('snap')
    expect(snap.condition).toMatchObject({ label: { mode: 'demo' }, isStale: false })
    expect(snap.candles).toHaveLength(50)
    expect(snap).toMatchObject({ hasOlder: true, startsAtMs: null })
    const stamps = snap.candles.map(([timeMs]) => timeMs)
    expect(stamps).toEqual([...new Set(stamps)].toSorted((one, other) => one - other))
    let seq = snap.seq
    for (let count = 0; count < 5; count += 1) {
      const update = await tickUntil(watcher, 'upd')
      expect(update.p).toBe(seq)
      expect(update.q).toBeGreaterThan(seq)
      seq = update.q
      for (const [timeMs, , high, low, close] of update.c) {
        expect(timeMs).toBeGreaterThanOrEqual(stamps.at(-1) ?? 0)
        expect(high).toBeGreaterThanOrEqual(close)
        expect(low).toBeLessThanOrEqual(close)
      }
    }
  })

  it('has the same candle as history at the same moment', async () => {
    const watcher = await live(premium)
    watcher.send({ t: 'sub', id: 1, slug: 'btc-usdt', timeframe: '60', bars: 20 })
    const snap = await watcher.next('snap')
    const { data } = await premium.client.marketData.candles({ params: { slug: 'btc-usdt' }, query: { timeframe: '60', limit: 25 } })
    const over = snap.candles.slice(0, -1)
    const known = new Map(data.candles.map((row) => [row[0], row]))
    expect(over).toHaveLength(19)
    expect(over.map(([timeMs]) => known.get(timeMs))).toEqual(over)
  })

  it('sends the same snapshot as columns, in a third of the bytes', async () => {
    const watcher = await live(free)
    watcher.send({ ...sub('nifty', 1), bars: 500 })
    watcher.send({ ...sub('nifty', 2), bars: 500, form: 'columns' })
    const [rows, packed] = [await watcher.next('snap'), await watcher.next('snap')]
    expect(packed.candles).toEqual([])
    expect(rows.columns).toBeUndefined()
    const columns = packed.columns ?? expect.fail('The snapshot has no columns')
    // The last candle may have changed between the two.
    expect(rowsOf(columns).slice(0, -1)).toEqual(rows.candles.slice(0, -1))
    expect(JSON.stringify(columns).length).toBeLessThan(JSON.stringify(rows.candles).length / 3)
  })

  it('resumes after a cut with the missed updates, without duplicates', async () => {
    const first = await live(free)
    first.send(sub('nifty'))
    const snap = await first.next('snap')
    const update = await tickUntil(first, 'upd')
    first.socket.terminate()
    const keeper = await live(free)
    keeper.send(sub('nifty'))
    await keeper.next('snap')
    await tickUntil(keeper, 'upd')
    const again = await live(free)
    again.send({ ...sub('nifty'), since: { epoch: snap.epoch, seq: update.q } })
    await again.next('cont')
    const missed = await again.next('upd')
    expect(missed.p).toBe(update.q)
    expect(again.frames.some(({ t }) => t === 'snap')).toBe(false)
    again.send({ ...sub('nifty', 2), since: { epoch: 'another', seq: update.q } })
    expect((await again.next('snap')).id).toBe(2)
  })
})

describe('a change of access', () => {
  it('ends premium streams, and keeps the free one', async () => {
    const watcher = await live(premium)
    watcher.send(sub('btc-usdt', 1))
    watcher.send(sub('nifty', 2))
    await watcher.next('snap')
    await watcher.next('snap')
    const admin = app.browser({ address: '10.0.0.3' })
    await admin.signIn((await app.addUser({ role: 'admin' })).email)
    await admin.client.subscriptions.setStatus({ body: { id: premiumId, status: false, from: 'paid' } })
    const end = await watcher.next('end')
    expect(end).toMatchObject({ id: 1, code: 'http.premiumRequired' })
    // Updates from before the end were still allowed.
    let update = await tickUntil(watcher, 'upd')
    while (watcher.frames.indexOf(update) < watcher.frames.indexOf(end)) update = await tickUntil(watcher, 'upd')
    expect(update.k).toBe('nifty:1')
    watcher.send({ ...sub('btc-usdt', 3), since: { epoch: 'x', seq: 1 } })
    expect(await watcher.next('end')).toMatchObject({ id: 3, code: 'http.premiumRequired' })
    await app.database.db.updateTable('users').set({ status: 'paid', premium_end: inAYear }).where('id', '=', premiumId).execute()
  })

  it('ends the socket of an expired session', async () => {
    const other = app.browser({ address: '10.0.0.4' })
    await other.signIn((await app.addUser()).email)
    const watcher = await live(other)
    watcher.send(sub('nifty'))
    await watcher.next('snap')
    await other.client.auth.signOut({ body: {} })
    expect((await watcher.closed).code).toBe(4401)
  })

  it('leaves the socket of a session that got a new cookie, and the former one opens no other', async () => {
    const { id, email } = await app.addUser({ status: 'paid', premium_start: new Date('2026-11-01T00:00:00Z'), premium_end: inAYear })
    const own = app.browser({ address: '10.0.0.6' })
    await own.signIn(email)
    const watcher = await live(own)
    watcher.send(sub('btc-usdt'))
    await watcher.next('snap')
    const former = cookiesOf(own)
    await own.client.passwords.confirm({ body: { password: testPassword } })
    app.clock.nowMs += 15_000
    const late = await openSocket(url, { cookie: former })
    late.send({ t: 'hello', v: liveVersion, token: own.sessionToken ?? '' })
    expect((await late.closed).code).toBe(4401)
    await app.database.db.updateTable('users').set({ status: 'cancel', premium_end: null }).where('id', '=', id).execute()
    expect(await watcher.next('end')).toMatchObject({ id: 1, code: 'http.premiumRequired' })
    watcher.send(sub('nifty', 2))
    await watcher.next('snap')
    await own.client.auth.signOut({ body: {} })
    expect((await watcher.closed).code).toBe(4401)
  })

  it('applies at the end of the term, without a job', async () => {
    const short = await app.addUser({
      status: 'paid',
      premium_start: new Date('2026-11-01T00:00:00Z'),
      premium_end: new Date(app.clock.nowMs + 60_000),
    })
    const browser = app.browser({ address: '10.0.0.5' })
    await browser.signIn(short.email)
    const watcher = await live(browser)
    watcher.send(sub('eth-usdt'))
    await watcher.next('snap')
    app.clock.nowMs += 61_000
    expect(await watcher.next('end')).toMatchObject({ id: 1, code: 'http.premiumRequired' })
  })
})
