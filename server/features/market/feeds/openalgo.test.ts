// OpenAlgo against an exchange that speaks as an instance does: the suite of all feeds, and what only this one has.
import { describe, expect, it } from 'vitest'
import { openalgoFeed } from './openalgo.ts'
import { feedContract } from './testing/feed-contract.ts'
import { expectTrueMinutes, fridayMs, type FeedSubject } from './testing/feed-world.ts'
import { inWorld } from './testing/in-world.ts'
import { openAlgoDialect, openAlgoTestKey } from './testing/openalgo-dialect.ts'
import { expectNoSecret } from './testing/secrets.ts'

const subject: FeedSubject = {
  dialect: openAlgoDialect,
  make: (needs) => openalgoFeed({ ...needs, apiKey: openAlgoTestKey }),
  staleAfterMs: 15_000,
}
const wrongKey = 'a-key-of-another-instance'

feedContract(subject)

describe('a wrong key', () => {
  it('is refused with what helps, by history and by the socket, and stands in no note', async () => {
    await inWorld({ ...subject, make: (needs) => openalgoFeed({ ...needs, apiKey: wrongKey }) }, async (world) => {
      const watched = world.watch(world.symbol)
      const history = world.feed.history({ symbol: world.symbol, step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })
      const outcome = Promise.allSettled([history])
      await world.exchange.play(5000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('make a new one') as string })
      const [told] = await outcome
      expect(told).toMatchObject({ reason: { kind: 'refused' } })
      expectNoSecret([watched.states, told, world.logLines], [wrongKey])
    })
  })
})

describe('the broker behind it', () => {
  it('that is not signed in is a fault that passes: it is tried again', async () => {
    const answer = JSON.stringify({ status: 'error', code: 'BROKER_CONNECTION_ERROR', message: 'Session expired' })
    await inWorld({ ...subject, dialect: { ...openAlgoDialect, received: (peer) => peer.send(answer) } }, async (world) => {
      const watched = world.watch(world.symbol)
      await world.exchange.play(20_000)
      expect(watched.states.at(-1)).toMatchObject({ kind: 'down', reason: expect.stringContaining('BROKER_CONNECTION_ERROR') as string })
      expect(world.exchange.dials.total).toBeGreaterThan(2)
    })
  })

  it('that has no candles of a step is told so', async () => {
    await inWorld(subject, async (world) => {
      const body = JSON.stringify({ status: 'success', data: { days: ['D'], hours: [], minutes: ['1m'] } })
      world.exchange.faults.http = ({ path }) => (path.endsWith('/intervals') ? { status: 200, body } : undefined)
      const ask = (step: '1m' | '1h') => world.feed.history({ symbol: world.symbol, step, fromMs: fridayMs - 3_600_000, toMs: fridayMs })
      const [told] = await Promise.all([Promise.allSettled([ask('1h'), ask('1m')]), world.exchange.play(3000)])
      expect(told).toMatchObject([
        { reason: { kind: 'refused', message: 'The broker behind OpenAlgo has no candles of 1h' } },
        { status: 'fulfilled' },
      ])
      expect(world.exchange.requests.filter(({ path }) => path.endsWith('/intervals'))).toHaveLength(1)
    })
  })
})

describe('an index', () => {
  it('has true minutes and no volume, whatever the broker writes there', async () => {
    const dialect = {
      ...openAlgoDialect,
      symbols: ['NSE_INDEX:NIFTY', 'NSE:RELIANCE'],
      sessionClass: 'nse-index',
      hasVolume: false,
    } as const
    await inWorld({ ...subject, dialect }, async (world) => {
      const followed = world.follow()
      await world.exchange.play(5 * 60_000)
      expectTrueMinutes(world, followed, 20_000)
      expect(followed.minutes.every(({ candle }) => candle.volume === null)).toBe(true)
      followed.stop()
    })
  })
})

describe('a quote without a price', () => {
  it('is left out for its symbol only, and counted: nothing else is asked for again', async () => {
    await inWorld(subject, async (world) => {
      const [first, second] = subject.dialect.symbols
      const [one, other] = [first, second].map((symbol) => world.watch(symbol))
      await world.exchange.play(5000)
      const empty = JSON.stringify({ type: 'market_data', exchange: 'NSE', symbol: 'RELIANCE', mode: 2, data: { ltp: 0, volume: 0 } })
      world.exchange.faults.frame = (frame) => [empty, frame, empty]
      const heardBefore = [one, other].map((heard) => heard?.trades.length ?? 0)
      await world.exchange.play(5 * 60_000)
      for (const [index, heard] of [one, other].entries()) {
        expect(heard?.states.filter(({ kind }) => kind === 'live')).toHaveLength(1)
        expect(heard?.trades.length).toBeGreaterThan(heardBefore[index] ?? 0)
      }
      const truth = world.exchange.truth.trades(first).at(-1)
      expect(one?.trades.at(-1)).toMatchObject({ price: truth?.price })
      const lines = world.logLines.filter((line) => line.includes('cannot be used'))
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.length).toBeLessThanOrEqual(6)
    })
  })

  it('that is broken in another way has only its own symbol asked for again', async () => {
    await inWorld(subject, async (world) => {
      const [first, second] = subject.dialect.symbols
      const [one, other] = [first, second].map((symbol) => world.watch(symbol))
      await world.exchange.play(5000)
      const broken = JSON.stringify({ type: 'market_data', exchange: 'NSE', symbol: 'RELIANCE', mode: 2, data: { ltp: '5' } })
      world.exchange.faults.frame = (frame) => [frame, broken]
      await world.exchange.play(5 * 60_000)
      expect(one?.states.filter(({ kind }) => kind === 'live').length).toBeGreaterThan(1)
      expect(other?.states.filter(({ kind }) => kind === 'live')).toHaveLength(1)
    })
  })
})

describe('an instance in a folder of a site', () => {
  it('is asked there', async () => {
    await inWorld(
      {
        ...subject,
        make: (needs) => openalgoFeed({ ...needs, restUrl: `${needs.restUrl}/algo/`, apiKey: openAlgoTestKey }),
      },
      async (world) => {
        const history = world.feed.history({ symbol: world.symbol, step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })
        await Promise.all([Promise.allSettled([history]), world.exchange.play(1000)])
        expect(world.exchange.requests.map(({ path }) => path)).toEqual(['/algo/api/v1/intervals'])
      },
    )
  })
})
