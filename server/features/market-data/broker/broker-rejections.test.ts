// Rows of a user's own broker that cannot be true: settled over several days and connections, marked for that user, counted for all.
import { expect, onTestFinished, test } from 'vitest'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { testApp } from '#server/testing/app.ts'
import { addPremium, connectKite, fakeBrokers, loginStateOf } from '#server/testing/brokers.ts'
import { freshDatabase } from '#server/testing/database.ts'
import type { Member } from '#server/testing/subscriptions.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { readRejectedRows } from '../store/rejected-rows.ts'
import { connectionRows, brokerRejections } from './broker-rejections.ts'

const startMs = Date.parse('2026-11-20T04:30:00Z')
const key = { series: 'reliance', source: 'kite', step: '1m' } as const
const span = (from: number, to: number) => ({ fromMs: from * minuteMs, toMs: to * minuteMs })
const row = (minute: number) => ({ span: span(minute, minute + 1), issue: 'not-positive', answer: '0' }) as const

async function world() {
  const database = await freshDatabase()
  const clock = manualClock(startMs)
  const rejections = brokerRejections({ db: database.db, clock, onError: (error) => expect.fail(String(error)) })
  onTestFinished(async () => {
    await rejections.close()
    await database.close()
  })
  return { clock, rejections, report: () => readRejectedRows(database.db) }
}

test('the admin sees how many there are by series and source, each once, and no user', async () => {
  const { clock, rejections, report } = await world()
  for (const user of ['asha', 'ravi'])
    for (let answer = 0; answer < 5; answer += 1) await rejections.of(user).rows.note(key, span(0, 9), [row(3), row(4)])
  expect(await report()).toEqual([])
  await rejections.close()
  const none = { waiting: 0, settled: 0 }
  expect(await report()).toEqual([
    { series: 'reliance', source: 'kite', isOwn: true, leftOut: 4, ...none, issue: 'not-positive', answeredMs: clock.now() },
  ])
})

test('a user is remembered for a week, and the last hundred users at most', async () => {
  const { clock, rejections } = await world()
  const known = async (user: string) => (await rejections.of(user).rows.list(key)).length
  await rejections.of('asha').rows.note(key, span(0, 9), [row(3)])
  clock.advance(7 * dayMs)
  expect(await known('asha')).toBe(1)
  clock.advance(7 * dayMs + 1)
  rejections.of('ravi')
  expect(await known('asha')).toBe(0)
  await rejections.of('asha').rows.note(key, span(0, 9), [row(3)])
  for (let user = 0; user < 99; user += 1) rejections.of(`user-${user}`)
  expect(await known('asha')).toBe(1)
  for (let user = 0; user < 100; user += 1) rejections.of(`user-${user}`)
  expect(await known('asha')).toBe(0)
})

test('a connection knows only what it has asked: nothing around the others is loaded', async () => {
  const { rejections } = await world()
  const { rows } = rejections.of('asha')
  await rows.note(key, span(0, 9), [row(3)])
  const connection = connectionRows(rows)
  expect(await connection.list(key)).toEqual([])
  await connection.note(key, span(10, 19), [row(12)])
  expect((await connection.list(key)).map(({ fromMs }) => fromMs)).toEqual([12 * minuteMs])
  await connection.note(key, span(0, 9), [row(3)])
  expect(await connection.list(key)).toHaveLength(2)
  connection.forget('reliance')
  expect(await connection.list(key)).toEqual([])
})

test('three equal answers on three days, over a new login each day, mark the minute on the chart of that user only', async () => {
  const brokers = await fakeBrokers()
  const server = await testApp({ market: { hasDemo: false }, brokers: brokers.settings })
  onTestFinished(() => server.close())
  const bad = brokers.kite.truth.trades('NSE:RELIANCE').find(({ timeMs }) => timeMs > server.clock.nowMs - 60 * minuteMs)
  Object.assign(bad ?? {}, { price: 0 })
  const badMs = Math.floor((bad?.timeMs ?? NaN) / minuteMs) * minuteMs
  const [asha, without] = [await addPremium(server), await addPremium(server)]
  const missing = async ({ browser }: Member) => (await browser.client.chart.config({ params: { slug: 'reliance' } })).data.missing
  const renew = async (): Promise<void> => {
    server.clock.nowMs += dayMs
    const { data } = await asha.browser.client.brokers.renewKite()
    const body = { requestToken: brokers.kiteLogin.signIn('app-of-asha'), state: loginStateOf(data.loginUrl) }
    await asha.browser.client.brokers.finishKite({ body })
  }
  for (let day = 1; day <= 3; day += 1) {
    if (day === 1) await connectKite(asha, brokers, 'app-of-asha')
    else await renew()
    expect(await missing(asha)).toEqual([])
    const query = { timeframe: '1', limit: 500 } as const
    const { candles } = (await asha.browser.client.marketData.candles({ params: { slug: 'reliance' }, query })).data
    expect(candles.map(([timeMs]) => timeMs)).not.toContain(badMs)
    expect(candles.length).toBeGreaterThan(50)
  }
  expect(await missing(asha)).toEqual([{ source: 'Zerodha Kite (your account)', fromMs: badMs, stepMs: minuteMs }])
  expect(await missing(without)).toEqual([])
})
