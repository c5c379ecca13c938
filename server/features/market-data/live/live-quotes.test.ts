// Quotes of a menu over a real socket: who sees which, how often they come, and what ends them.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { premiumColumns, testApp, type TestApp } from '#server/testing/app.ts'
import { listenForLive, openLive, type Watcher } from '#server/testing/live.ts'
import { menuOf } from '#shared/instruments/instruments.ts'

let app: TestApp
let url: string
const open: Watcher[] = []

beforeAll(async () => {
  app = await testApp()
  url = await listenForLive(app.app)
})
afterEach(() => {
  for (const watcher of open.splice(0)) watcher.socket.terminate()
})
afterAll(() => app.close())

async function watch(values: Parameters<TestApp['addUser']>[0]) {
  const { id, email } = await app.addUser(values)
  const browser = app.browser()
  await browser.signIn(email)
  const watcher = await openLive(url, browser)
  open.push(watcher)
  return { id, watcher }
}

const slugsOf = (group: Parameters<typeof menuOf>[0]) => menuOf(group).map(({ slug }) => slug)

/** Advances the demo market until every instrument of the group has a price; the frames up to then. */
async function untilPriced(watcher: Watcher, group: Parameters<typeof menuOf>[0]) {
  const prices = new Map<string, number>()
  const labels = new Map<string, unknown>()
  const timer = setInterval(() => (app.clock.nowMs += 500), 50)
  try {
    while (prices.size < slugsOf(group).length) {
      const frame = await watcher.next('quotes')
      expect(frame.group).toBe(group)
      const conditions = frame.quotes.flatMap(([slug, , , condition]) => (condition === null ? [] : [{ slug, label: condition.label }]))
      for (const { slug, label } of conditions) labels.set(slug, label)
      const priced = frame.quotes.flatMap(([slug, price]) => (price === null ? [] : [{ slug, price }]))
      // Never a price without a label.
      expect(priced.filter(({ slug }) => labels.get(slug) === null || !labels.has(slug))).toEqual([])
      for (const { slug, price } of priced) prices.set(slug, price)
    }
    return prices
  } finally {
    clearInterval(timer)
  }
}

it('a free user gets none', async () => {
  const { watcher } = await watch({})
  watcher.send({ t: 'quotes', group: 'CRYPTO' })
  expect(await watcher.next('quotes')).toEqual({ t: 'quotes', group: 'CRYPTO', isAll: true, quotes: [] })
})

it('an unknown group is rejected', async () => {
  const { watcher } = await watch(premiumColumns)
  watcher.send('{"t":"quotes","group":"BONDS"}')
  expect((await watcher.closed).code).toBe(4429)
})

it('a premium user gets the whole group, then what changes, and the other group instead after asking for it', async () => {
  const { watcher } = await watch(premiumColumns)
  watcher.send({ t: 'quotes', group: 'CRYPTO' })
  const first = await watcher.next('quotes')
  expect(first.isAll).toBe(true)
  expect(first.quotes.map(([slug]) => slug)).toEqual(slugsOf('CRYPTO'))
  const prices = await untilPriced(watcher, 'CRYPTO')
  expect([...prices.keys()].toSorted()).toEqual(slugsOf('CRYPTO').toSorted())
  expect(watcher.frames.filter((frame) => frame.t === 'quotes' && frame.isAll)).toHaveLength(1)
  watcher.send({ t: 'quotes', group: 'FOREX' })
  let frame = await watcher.next('quotes')
  while (frame.group === 'CRYPTO') frame = await watcher.next('quotes')
  expect(frame).toMatchObject({ group: 'FOREX', isAll: true })
})

it('the end of premium removes them within a second, and acceptance brings them back', async () => {
  const { id, watcher } = await watch(premiumColumns)
  const change = (values: object) => app.database.db.updateTable('users').set(values).where('id', '=', id).execute()
  watcher.send({ t: 'quotes', group: 'STOCKS' })
  await untilPriced(watcher, 'STOCKS')
  await change({ status: 'cancel', premium_end: null })
  let frame = await watcher.next('quotes')
  while (frame.quotes.length > 0) frame = await watcher.next('quotes')
  expect(frame).toEqual({ t: 'quotes', group: 'STOCKS', isAll: true, quotes: [] })
  await change(premiumColumns)
  expect(await watcher.next('quotes')).toMatchObject({ isAll: true, group: 'STOCKS' })
})

it('nothing comes after the quotes have ended', async () => {
  const { watcher } = await watch(premiumColumns)
  watcher.send({ t: 'quotes', group: 'CRYPTO' })
  await watcher.next('quotes')
  watcher.send({ t: 'quotes', group: null })
  watcher.send({ t: 'sub', id: 1, slug: 'btc-usdt', timeframe: '1', bars: 10 })
  await watcher.next('snap')
  const before = watcher.frames.filter(({ t }) => t === 'quotes').length
  const timer = setInterval(() => (app.clock.nowMs += 500), 50)
  await watcher.next('upd')
  await watcher.next('upd')
  await watcher.next('upd')
  clearInterval(timer)
  expect(watcher.frames.filter(({ t }) => t === 'quotes')).toHaveLength(before)
})
