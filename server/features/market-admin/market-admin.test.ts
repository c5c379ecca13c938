// The operator's market data view through the API: access, content, and no side effects.
import { afterEach, describe, expect, it } from 'vitest'
import { premiumColumns, testApp, type Browser, type TestApp, type TestAppOptions } from '#server/testing/app.ts'
import { listenForLive, openLive } from '#server/testing/live.ts'
import { instruments } from '#shared/instruments/instruments.ts'
import { seriesKeys } from '#shared/instruments/instrument-facts.ts'
import type { VerifyReport } from '#shared/market-data/verify-report.ts'
import type { Feed, SourceName } from '#server/features/market-data/feed.ts'
import { parseLicences, type Licences } from '#server/features/market-data/licences.ts'
import { databaseRejectedMessages } from '#server/features/market-data/store/rejected-messages.ts'
import { databaseRejectedRows } from '#server/features/market-data/store/rejected-rows.ts'
import { writeVerifyReport } from '#server/features/market-data/verify/repository.ts'

const path = '/api/v1/admin/market'
const apps: TestApp[] = []

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function start(market: TestAppOptions['market'] = {}): Promise<TestApp> {
  const app = await testApp({ market })
  apps.push(app)
  return app
}

async function person(app: TestApp, values: Parameters<TestApp['addUser']>[0]): Promise<Browser> {
  const browser = await app.signedIn(values)
  return browser
}

const view = async (browser: Browser) => (await browser.client.marketAdmin.overview()).data

/** Signs an admin in now, because admin sessions expire after half an hour of inactivity. */
const viewNow = async (app: TestApp) => view(await person(app, { role: 'admin' }))

function licencesOf(text: string): Licences {
  const licences = parseLicences(text)
  if (typeof licences === 'string') throw new Error(licences)
  return licences
}

/** A source that connects without prices; it counts subscriptions. */
function quietFeed(source: SourceName) {
  const watched: string[] = []
  const feed: Feed = {
    source,
    steps: ['1m'],
    live: 'minutes',
    history: () => Promise.resolve([]),
    watch: (symbol, sink) => {
      watched.push(symbol)
      const timer = setImmediate(() => sink.state({ kind: 'live' }))
      return () => clearImmediate(timer)
    },
    close: () => Promise.resolve(),
  }
  return { feed, watched }
}

const feedsOf = (...sources: SourceName[]) => new Map(sources.map((source) => [source, quietFeed(source).feed]))

describe('the view of the market data', () => {
  it('is denied to anonymous users, users and premium users', async () => {
    const app = await start()
    expect((await app.browser().send({ method: 'GET', path })).statusCode).toBe(401)
    for (const values of [{}, premiumColumns])
      expect((await (await person(app, values)).send({ method: 'GET', path })).statusCode).toBe(403)
  })

  it('lists every series once, and every instrument in one of them', async () => {
    const { series } = await viewNow(await start())
    expect(series.map((row) => row.series)).toEqual(seriesKeys)
    expect(series.flatMap(({ labels }) => labels).toSorted()).toEqual(instruments.map(({ label }) => label).toSorted())
    expect(series.find((row) => row.series === 'nifty')?.labels).toEqual(['NIFTY', 'NIFTY 50'])
  })

  it('lists the sources in order of preference, with all issues of each', async () => {
    const missing = new Map([['twelve-data', ['TWELVE_DATA_KEY']]] as const)
    const app = await start({ feeds: feedsOf('kraken', 'yahoo'), missing })
    const { series } = await viewNow(app)
    const sourcesOf = (key: string) =>
      series.find((row) => row.series === key)?.sources.map(({ title, issues, missing }) => [title, issues, missing])
    expect(sourcesOf('eur-usd')).toEqual([
      ['Twelve Data', ['missing-setting', 'needs-licence'], ['TWELVE_DATA_KEY']],
      ['Kraken', [], []],
      ['Yahoo Finance', ['needs-licence'], []],
      ['Tezi demo', [], []],
    ])
    expect(sourcesOf('btc-usdt')).toEqual([
      ['Binance', ['not-switched-on'], []],
      ['Tezi demo', [], []],
    ])
    expect(series.find((row) => row.series === 'xau-usd')?.sources[1]).toMatchObject({
      source: 'binance',
      symbol: 'PAXGUSDT',
      proxy: expect.stringContaining('PAXG'),
    })
  })

  it('shows that generated prices are disabled', async () => {
    const { series } = await viewNow(await start({ hasDemo: false }))
    expect(new Set(series.map(({ sources }) => sources.at(-1)?.issues.join()))).toEqual(new Set(['not-switched-on']))
  })

  it('shows the licence of each source', async () => {
    const licences = licencesOf('nse=licensed:NSE/2026/17,bse=delayed-15:BSE-9,cme=licensed:CME-3,kite=licensed:KITE-3')
    const { series } = await viewNow(await start({ licences }))
    const licenceOf = (key: string, source: string) =>
      series.find((row) => row.series === key)?.sources.find((row) => row.source === source)?.licences
    expect(licenceOf('nifty', 'kite')).toEqual([
      { holder: 'nse', mode: 'licensed', reference: 'NSE/2026/17', delayMinutes: 0 },
      { holder: 'kite', mode: 'licensed', reference: 'KITE-3', delayMinutes: 0 },
    ])
    expect(licenceOf('sensex', 'kite')).toMatchObject([{ holder: 'bse', mode: 'delayed', reference: 'BSE-9', delayMinutes: 15 }, {}])
    expect(licenceOf('es', 'csv')).toEqual([{ holder: 'cme', mode: 'licensed', reference: 'CME-3', delayMinutes: 0 }])
    expect(licenceOf('eur-usd', 'yahoo')).toMatchObject([{ mode: 'refused' }])
    const unlicensed = await viewNow(await start())
    expect(unlicensed.series.find((row) => row.series === 'nifty')?.sources[0]).toMatchObject({
      licences: [
        { holder: 'nse', mode: 'refused', reference: null, delayMinutes: 0 },
        { holder: 'kite', mode: 'refused', reference: null, delayMinutes: 0 },
      ],
      issues: expect.arrayContaining(['needs-licence']),
    })
  })

  it('shows which markets are open, and when a closed one opens', async () => {
    const app = await start()
    const hoursOf = async (key: string) => (await viewNow(app)).series.find((row) => row.series === key)?.hours
    expect(await hoursOf('nifty')).toEqual({ isOpen: true, opensAtMs: null, reason: null })
    // Monday the 23rd at night: Tuesday is a holiday of the exchange.
    app.clock.nowMs = Date.parse('2026-11-23T20:00:00+05:30')
    expect(await hoursOf('nifty')).toMatchObject({
      isOpen: false,
      opensAtMs: Date.parse('2026-11-25T09:15:00+05:30'),
      reason: 'Guru Nanak Jayanti',
    })
    expect(await hoursOf('btc-usdt')).toMatchObject({ isOpen: true })
    app.clock.nowMs = Date.parse('2026-12-31T20:00:00+05:30')
    expect(await hoursOf('nifty')).toMatchObject({ isOpen: false, opensAtMs: null })
  })

  it('warns of a calendar from ninety days before its end, and lists each calendar once', async () => {
    const app = await start()
    const daysLeft = async () =>
      (await viewNow(app)).calendars.map(({ sessionClasses, coveredUntil, daysLeft }) => [sessionClasses[0], coveredUntil, daysLeft])
    expect(await daysLeft()).toEqual([
      ['nse-equity', '2026-12-31', 41],
      ['bse-index', '2026-12-31', 41],
      ['fx', null, null],
      ['metals', '2027-12-31', null],
      ['crypto', null, null],
      ['cme', '2027-12-31', null],
      ['comex', '2027-12-31', null],
    ])
    app.clock.nowMs = Date.parse('2026-10-01T12:00:00+05:30')
    expect((await daysLeft())[0]).toEqual(['nse-equity', '2026-12-31', null])
    app.clock.nowMs = Date.parse('2026-12-05T12:00:00+05:30')
    expect((await daysLeft()).slice(0, 3)).toEqual([
      ['nse-equity', '2026-12-31', 26],
      ['bse-index', '2026-12-31', 26],
      ['fx', null, null],
    ])
    app.clock.nowMs = Date.parse('2027-01-02T12:00:00+05:30')
    expect((await daysLeft())[0]).toEqual(['nse-equity', '2026-12-31', 0])
  })

  it('shows the state of subscribed series, and opens none', async () => {
    const kraken = quietFeed('kraken')
    const app = await start({ feeds: new Map([['kraken', kraken.feed]]) })
    const admin = await person(app, { role: 'admin' })
    expect((await view(admin)).series.filter(({ condition }) => condition !== null)).toEqual([])
    expect(kraken.watched).toEqual([])

    await (await person(app, {})).client.marketData.candles({ params: { slug: 'nifty' }, query: { limit: 5 } })
    const { series } = await view(admin)
    expect(series.filter(({ condition }) => condition !== null).map((row) => row.series)).toEqual(['nifty'])
    expect(series.find((row) => row.series === 'nifty')?.condition).toEqual({
      label: { mode: 'demo', source: 'Tezi demo', delayMinutes: 0, proxy: null },
      sessionClass: 'crypto',
      isStale: false,
      reason: null,
    })
  })

  it('shows the number of open sockets here and the active hub', async () => {
    const app = await start()
    const url = await listenForLive(app.app)
    const admin = await person(app, { role: 'admin' })
    expect((await view(admin)).process).toEqual({ liveSockets: 0, hub: 'here' })
    const watcher = await openLive(url, await person(app, {}))
    expect((await view(admin)).process).toEqual({ liveSockets: 1, hub: 'here' })
    watcher.socket.terminate()
    await expect.poll(async () => (await view(admin)).process.liveSockets).toBe(0)
  })

  it('counts the rejected rows of each series and source', async () => {
    const app = await start()
    expect((await viewNow(app)).rejectedRows).toEqual([])
    const rows = databaseRejectedRows({ db: app.database.db, now: () => app.clock.nowMs })
    const row = (fromMs: number, toMs: number, issue: 'jump' | 'out-of-order') => ({ span: { fromMs, toMs }, issue, answer: issue })
    const key = (step: '1m' | '1h') => ({ series: 'nifty', source: 'kite', step }) as const
    await rows.note(key('1h'), { fromMs: 0, toMs: 9 * 3_600_000 }, [row(0, 3_600_000, 'out-of-order')])
    for (let day = 0; day < 3; day += 1) {
      app.clock.nowMs += 86_400_000
      await rows.note(key('1m'), { fromMs: 0, toMs: 600_000 }, [row(60_000, 180_000, 'jump')])
    }
    const answeredMs = app.clock.nowMs
    expect((await viewNow(app)).rejectedRows).toEqual([
      { series: 'nifty', source: 'kite', isOwn: false, leftOut: 0, waiting: 1, settled: 2, issue: 'jump', answeredMs },
    ])
  })

  it('counts live messages that cannot be used, and own brokers apart', async () => {
    const app = await start()
    const clock = { now: () => app.clock.nowMs, after: () => () => undefined }
    for (const isOwn of [false, true]) {
      const messages = databaseRejectedMessages({ db: app.database.db, clock, onError: (error) => expect.fail(String(error)), isOwn })
      for (let count = 0; count < (isOwn ? 2 : 5); count += 1)
        messages.add({ series: 'nifty', source: 'kite', issue: 'not-positive', count: 1 })
      await messages.close()
      app.clock.nowMs += 1_000
    }
    const row = { series: 'nifty', source: 'kite', waiting: 0, settled: 0, issue: 'not-positive' }
    expect((await viewNow(app)).rejectedRows).toEqual([
      { ...row, isOwn: true, leftOut: 2, answeredMs: app.clock.nowMs - 1_000 },
      { ...row, isOwn: false, leftOut: 5, answeredMs: app.clock.nowMs - 2_000 },
    ])
  })

  it('shows the last check of stored candles, and null before the first', async () => {
    const app = await start()
    expect((await viewNow(app)).verification).toBeNull()
    const none = { found: 0, left: 0 }
    const report: VerifyReport = {
      startedMs: 1,
      endedMs: 2,
      hasRepaired: true,
      series: 1,
      candles: 60,
      counts: { hole: { found: 2, left: 1 }, contradiction: none, 'adjusted-rows': none, 'unexplained-jump': none },
      left: [{ series: 'nifty', source: 'csv', step: '1m', kind: 'hole', fromMs: 3, toMs: 4 }],
    }
    await writeVerifyReport(app.database.db, report)
    expect((await viewNow(app)).verification).toEqual(report)
  })
})
