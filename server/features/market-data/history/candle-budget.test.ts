// Candles over HTTP within a user's budget: rejected beyond it, other users unaffected, refilled over time.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { candleBudget } from './candle-budget.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})

afterAll(() => app.close())

async function signedIn(address: string): Promise<Browser> {
  const browser = app.browser({ address })
  await browser.signIn((await app.addUser()).email)
  return browser
}

const longPage = (turn: number) => ({
  method: 'GET',
  path: `/api/v1/market/candles/nifty?timeframe=1&limit=5000&to=${1_795_000_000_000 - turn * 60_000}`,
})

test('a user who requests too many bars is rejected for a while, and another is not', async () => {
  const greedy = await signedIn('203.0.113.8')
  // As many at once as may wait, so that less than is asked for is refilled meanwhile.
  const rounds: Awaited<ReturnType<Browser['send']>>[][] = []
  for (let round = 0; round < 4; round += 1)
    rounds.push(await Promise.all(Array.from({ length: 32 }, (_, turn) => greedy.send(longPage(32 * round + turn)))))
  expect(rounds[0]?.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 32 }, () => 200))
  const refused = rounds.at(-1)?.find(({ statusCode }) => statusCode === 429)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused?.json()).toMatchObject({ code: 'http.tooMany' })
  const honest = await signedIn('203.0.113.9')
  expect((await honest.send({ method: 'GET', path: '/api/v1/market/candles/nifty?limit=500' })).statusCode).toBe(200)
})

test('a user who has received 24 MB waits for new bytes, and another does not', async () => {
  let nowMs = 0
  const budget = candleBudget(() => nowMs)
  const download = (userId: string, body: readonly Buffer[]) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    return budget.run({ userId, bars: 1, response }, () => Promise.resolve(body)).finally(() => response.emit('close'))
  }
  const megabyte = 1024 * 1024
  await download('user', [Buffer.alloc(12 * megabyte)])
  // 2 MB over the budget, which a second and a byte pay back.
  await download('user', [Buffer.alloc(7 * megabyte), Buffer.alloc(7 * megabyte)])
  await expect(download('user', [])).rejects.toMatchObject({ kind: 'too-many', details: { retryAfterSeconds: 2 } })
  await download('other', [])
  nowMs = 1_001
  await download('user', [])
})

test('four charts with all their shorter candles fit into the budget at once, and it refills', async () => {
  let nowMs = 0
  const budget = candleBudget(() => nowMs)
  const page = async (): Promise<void> => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    await budget.run({ userId: 'user', bars: 5_000, response }, () => Promise.resolve(''))
    response.emit('close')
  }
  for (let asked = 0; asked < 4 * 60_000; asked += 5_000) await page()
  // The requests of the charts themselves and of a timeframe change.
  for (let asked = 0; asked < 60_000; asked += 5_000) await page()
  await expect(page()).rejects.toMatchObject({ kind: 'too-many', details: { retryAfterSeconds: 1 } })
  nowMs = 1_000
  await page()
})

test('concurrent calls of a user are queued, up to a limit', async () => {
  const busy = await signedIn('203.0.113.10')
  const path = '/api/v1/market/candles/nifty?limit=50'
  const statuses = (await Promise.all(Array.from({ length: 60 }, () => busy.send({ method: 'GET', path })))).map(
    ({ statusCode }) => statusCode,
  )
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(36)
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
  expect((await busy.send({ method: 'GET', path })).statusCode).toBe(200)
})
