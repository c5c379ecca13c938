// Everything that a free session receives, over HTTP and WebSocket: no study, no premium price, no data of others.
import { expect, type Page } from '@playwright/test'
import { basePath } from '../shared/http/route.ts'
import { freeSlug, instruments } from '../shared/instruments/instruments.ts'
import { liveVersion, type CandleRow } from '../shared/market-data/live/contract.ts'
import { arriveAt, press, see } from './harness/see.ts'
import { addCrowd, addPerson, addRequest, headersOf, type Person } from './harness/people.ts'
import { sql } from './harness/sql.ts'
import { test } from './harness/test.ts'
import { world } from './harness/world.ts'

const premiumSlugs = instruments.filter(({ isFree }) => !isFree).map(({ slug }) => slug)
/** The same prices as the free ones under another name: free as well. */
const freeTwin = 'nifty50'

interface Recording {
  readonly answers: { readonly path: string; readonly text: string }[]
  readonly frames: string[]
}

/** Records every response before the page gets it, and every live frame from now on. */
async function record(page: Page, recording: Recording): Promise<void> {
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => recording.frames.push(payload.toString())))
  await page.route(
    (url) => url.origin === world().origin,
    async (route) => {
      // A document provided by a test has an opaque origin, and may open no connection to ours.
      if (route.request().isNavigationRequest()) return route.continue()
      // A page that has navigated away gets no response and needs none.
      try {
        const answer = await route.fetch({ maxRedirects: 0 })
        recording.answers.push({ path: new URL(answer.url()).pathname, text: await answer.text() })
        await route.fulfill({ response: answer })
      } catch {
        await route.abort().catch(() => undefined)
      }
    },
  )
}

async function goTo(page: Page, path: string, recording: Recording): Promise<void> {
  const answer = await page.goto(path)
  recording.answers.push({ path, text: (await answer?.text()) ?? '' })
}

/** The closed candles of each instrument in the responses of a user with access, without their times. */
async function pricesOf(person: Person, slugs: readonly string[]): Promise<(readonly [slug: string, prices: readonly string[]])[]> {
  const { origin } = world()
  const headers = await headersOf(person)
  const all: [string, string[]][] = []
  for (const slug of slugs) {
    const answer = await fetch(`${origin}${basePath}/market/candles/${slug}?limit=50`, { headers })
    const { data } = (await answer.json()) as { data: { candles: CandleRow[] } }
    all.push([slug, data.candles.slice(0, -1).map((row) => JSON.stringify(row.slice(1, 5)).slice(1, -1))])
  }
  return all
}

/** Sends requests without the page's own access checks; returns the statuses. */
function ask(page: Page, paths: readonly string[]): Promise<number[]> {
  return page.evaluate(async (paths) => {
    const headers = { 'session-token': localStorage.getItem('sessionToken') ?? '' }
    const statuses: number[] = []
    for (const path of paths) {
      const answer = await fetch(path, { headers })
      await answer.text()
      statuses.push(answer.status)
    }
    return statuses
  }, paths)
}

/** Opens a separate live connection, subscribes to all of these, and returns each response. */
function watch(page: Page, slugs: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ({ slugs, path, version }) =>
      new Promise<string[]>((resolve) => {
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}${path}`)
        const kinds: string[] = []
        // One at a time, because the server limits messages.
        const next = () =>
          socket.send(JSON.stringify({ t: 'sub', id: kinds.length + 1, slug: slugs[kinds.length], timeframe: '1', bars: 50 }))
        socket.addEventListener('open', () =>
          socket.send(JSON.stringify({ t: 'hello', v: version, token: localStorage.getItem('sessionToken') })),
        )
        socket.addEventListener('close', () => resolve(kinds))
        socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
          const frame = JSON.parse(data) as { t: string; code?: string }
          if (frame.t === 'snap' || frame.t === 'end') kinds.push(frame.code ?? frame.t)
          if (kinds.length === slugs.length) socket.close()
          else if (['ready', 'snap', 'end'].includes(frame.t)) setTimeout(next, 120)
        })
      }),
    { slugs, path: `${basePath}/market/live`, version: liveVersion },
  )
}

test('a free session never receives premium data or data of others, even on request', { tag: '@slow' }, async ({ open }) => {
  const [free, premium] = [await addPerson('free'), await addPerson('premium')]
  await Promise.all([addCrowd(3), addRequest()])
  // Like a user whose premium has ended, with all toggles still on.
  await sql(
    `insert into chart_settings (user_id, flags, updated_at)
     select id, '{"blockPressure":true,"volumeDelta":true,"zigZag":true,"pivotpoint":true,"renkoSRvolume":true,"pricePercentageShadedCandel":true}', now()
       from users where email = $1`,
    [free.email],
  )
  const recording: Recording = { answers: [], frames: [] }
  const { page, widget } = await open('/', { as: free, before: (fresh) => record(fresh, recording) })
  await page.getByTestId('chart-legend').waitFor()
  await press(page, 'Premium Chart')
  await page.getByRole('dialog', { name: 'Premium Subscription' }).waitFor()
  await page.waitForLoadState('networkidle')
  for (const path of ['/eur-usd', '/btc-usdt']) {
    await goTo(page, path, recording)
    await page.getByRole('heading', { name: 'Premium user required' }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  await goTo(page, '/admin/audit', recording)
  await see(page, /^403/)
  await goTo(page, '/account', recording)
  await see(page, 'This session')
  await page.waitForLoadState('networkidle')
  await goTo(page, '/', recording)
  await arriveAt(page, '/')
  await page.getByTestId('chart-legend').waitFor()

  const refused = [
    ...premiumSlugs.flatMap((slug) => [`${basePath}/market/charts/${slug}`, `${basePath}/market/candles/${slug}?limit=50`]),
    ...['', '/users.csv', '/requests', '/audit', '/overview', '/getOnlineUsers'].map((path) => `${basePath}/admin${path}`),
    `${basePath}/user/chart-settings`,
  ]
  const statuses = await ask(page, refused)
  expect(refused.filter((_, index) => statuses[index] !== 403)).toEqual([])
  expect(await ask(page, [`${basePath}/market/charts/${freeSlug}`, `${basePath}/market/candles/${freeSlug}?limit=50`])).toEqual([200, 200])
  expect(await ask(page, [`${basePath}/market/charts/${freeTwin}`, `${basePath}/market/candles/${freeTwin}?limit=50`])).toEqual([200, 200])
  expect(await watch(page, [...premiumSlugs, freeSlug])).toEqual([...premiumSlugs.map(() => 'http.premiumRequired'), 'snap'])

  const { answers, frames } = recording
  const texts = [...answers.map(({ text }) => text), ...frames]
  const holding = (trace: string) => texts.filter((text) => text.includes(trace)).map((text) => text.slice(0, 200))

  // The recording is complete: it contains what the free chart shows, over HTTP and WebSocket.
  const [[, freePrices] = ['', []], ...premiumPrices] = await pricesOf(premium, [freeSlug, ...premiumSlugs])
  const asked = new Set(answers.map(({ path }) => path))
  for (const path of ['/', '/user', '/admin/payment-info', `/market/charts/${freeSlug}`, '/user/sessions', '/admin/audit'])
    expect([path, asked.has(path === '/' ? path : `${basePath}${path}`)]).toEqual([path, true])
  expect(freePrices.filter((prices) => answers.some(({ text }) => text.includes(prices))).length).toBeGreaterThan(20)
  expect(freePrices.filter((prices) => frames.some((text) => text.includes(prices))).length).toBeGreaterThan(20)

  for (const [slug, prices] of premiumPrices) {
    expect(prices.length).toBeGreaterThan(20)
    expect([slug, prices.flatMap(holding)]).toEqual([slug, []])
  }
  for (const trace of ['STD;', 'tv-basicstudies', 'Zig_Zag']) expect([trace, holding(trace)]).toEqual([trace, []])
  const topics = new Set(frames.map((text) => (JSON.parse(text) as { k?: string }).k?.split(':')[0]))
  expect([...topics].filter((topic) => topic !== undefined)).toEqual([freeSlug])
  const people = texts.flatMap((text) => text.match(/[a-z0-9._-]+@[a-z0-9-]+\.(?:in|example)\b/g) ?? [])
  expect(new Set(people)).toEqual(new Set([free.email]))
  expect(widget.loads()).toBe(0)
})
