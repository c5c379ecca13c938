// Kite against an exchange that speaks as Zerodha does: the suite of all feeds, and what only this one has.
import { describe, expect, it } from 'vitest'
import { kiteFeed } from './kite.ts'
import { feedContract } from './testing/feed-contract.ts'
import { expectTrueMinutes, fridayMs, type FeedSubject } from './testing/feed-world.ts'
import { inWorld } from './testing/in-world.ts'
import { kiteDialect, kiteKeys } from './testing/kite-dialect.ts'
import { expectNoSecret } from './testing/secrets.ts'

const subject: FeedSubject = { dialect: kiteDialect, make: (needs) => kiteFeed({ ...needs, ...kiteKeys }), staleAfterMs: 15_000 }
const wrongKeys = { apiKey: 'wrong-key', accessToken: 'yesterdays-token' }
const stranger: FeedSubject = { ...subject, make: (needs) => kiteFeed({ ...needs, ...wrongKeys }) }

feedContract(subject)

describe('a token of yesterday', () => {
  it('is refused with what helps, by history and by the socket, and stands in no note', async () => {
    await inWorld(stranger, async (world) => {
      world.exchange.faults.refuseDialWith = 403
      const watched = world.watch(world.symbol)
      const history = world.feed.history({ symbol: world.symbol, step: '1m', fromMs: fridayMs - 60_000, toMs: fridayMs })
      const outcome = Promise.allSettled([history])
      await world.exchange.play(5000)
      expect(watched.states.at(-1)).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining('sign in to Zerodha again') as string,
      })
      const [told] = await outcome
      expect(told).toMatchObject({ reason: { kind: 'refused', message: expect.stringContaining('sign in to Zerodha again') as string } })
      expectNoSecret([watched.states, told, world.logLines], [...Object.values(wrongKeys), kiteKeys.accessToken])
    })
  })

  it('that ends while prices come is found out at the next call', async () => {
    await inWorld(subject, async (world) => {
      const watched = world.watch(world.symbol)
      await world.exchange.play(20_000)
      expect(watched.states.at(-1)?.kind).toBe('live')
      world.exchange.faults.refuseDialWith = 403
      await world.exchange.cut()
      await world.exchange.play(5000)
      expect(watched.states.at(-1)?.kind).toBe('refused')
    })
  })
})

describe('the socket', () => {
  it('asks for everything of a number, and for no more when nobody listens', async () => {
    await inWorld(subject, async (world) => {
      const { stop } = world.watch('NSE:RELIANCE')
      await world.exchange.play(3000)
      stop()
      await world.exchange.play(1000)
      expect(world.exchange.heard.map(({ frame }) => JSON.parse(frame.toString()) as unknown)).toEqual([
        { a: 'subscribe', v: [738_561] },
        { a: 'mode', v: ['full', [738_561]] },
        { a: 'unsubscribe', v: [738_561] },
      ])
    })
  })

  it('is live without a price once it has shown life, as on a quiet evening', async () => {
    const quiet: FeedSubject = { ...subject, dialect: { ...kiteDialect, received: () => undefined } }
    await inWorld(quiet, async (evening) => {
      const watched = evening.watch(evening.symbol)
      await evening.exchange.play(4000)
      expect(watched.states.map(({ kind }) => kind)).toEqual(['connecting', 'connecting', 'live'])
      expect(watched.trades).toEqual([])
    })
  })
})

describe('an index', () => {
  it('has true minutes and no volume', async () => {
    const index: FeedSubject = {
      ...subject,
      dialect: { ...kiteDialect, symbols: ['NSE:NIFTY 50', 'NSE:RELIANCE'], sessionClass: 'nse-index', hasVolume: false },
    }
    await inWorld(index, async (world) => {
      const followed = world.follow()
      await world.exchange.play(5 * 60_000)
      expectTrueMinutes(world, followed, 20_000)
      expect(followed.minutes.every(({ candle }) => candle.volume === null)).toBe(true)
      followed.stop()
    })
  })
})

describe('history', () => {
  it('reads the list of instruments once, and a long span in pieces', async () => {
    await inWorld(subject, async (world) => {
      const ask = () => world.feed.history({ symbol: world.symbol, step: '1m', fromMs: fridayMs - 130 * 86_400_000, toMs: fridayMs })
      const both = Promise.all([ask(), ask()])
      await world.exchange.play(5000)
      await both
      const paths = world.exchange.requests.map(({ path }) => path)
      expect(paths.filter((path) => path === '/instruments/NSE')).toHaveLength(1)
      expect(paths.filter((path) => path.endsWith('/minute'))).toHaveLength(6)
    })
  })

  it.each(['RELIANCE', 'NSE:', 'nse:RELIANCE', '../user:RELIANCE', ''])('refuses a symbol that can be none: %j', async (symbol) => {
    await inWorld(subject, async (world) => {
      const [told] = await Promise.all([
        Promise.allSettled([world.feed.history({ symbol, step: '1m', fromMs: 0, toMs: 1 })]),
        world.exchange.play(1000),
      ])
      expect(told).toMatchObject([{ reason: { kind: 'refused' } }])
    })
  })
})
