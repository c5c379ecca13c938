// The forming candle after every tick equals the sum of all its minutes, despite repeats and corrections.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { bucketOf } from './bucketer.ts'
import { sessionClasses } from '#shared/trading-hours/session-class.ts'
import { knownTimeframes } from './timeframe.ts'
import { candleRoller } from './candle-roller.ts'
import type { Candle } from './candle.ts'
import { resample } from './resample.ts'
import { minuteHistories, minuteValues } from './testing/random-minutes.ts'

const noonMs = Date.parse('2026-11-20T12:00Z')

const minute = (index: number, price: number): Candle => ({
  timeMs: noonMs + index * minuteMs,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 1,
  takerBuyVolume: null,
})

const fiveMinutes = (base: Candle | null = null, baseEndMs = noonMs) =>
  candleRoller({ sessionClass: 'crypto', timeframe: '5', base, baseEndMs })

describe('a minute that is ignored', () => {
  it('outside trading', () => {
    const roller = candleRoller({ sessionClass: 'nse-index', timeframe: '5', base: null, baseEndMs: 0 })
    expect(roller.apply(minute(0, 10))).toBe('outside')
  })

  it('before the end of the base candle', () => {
    expect(fiveMinutes(null, noonMs + minuteMs).apply(minute(0, 10))).toBe('late')
  })

  it('older than the last hour', () => {
    const roller = fiveMinutes()
    for (let index = 0; index <= 60; index += 1) roller.apply(minute(index, 10))
    expect(roller.apply(minute(0, 11))).toBe('late')
    expect(roller.apply(minute(1, 11))).toMatchObject({ changed: { timeMs: noonMs, high: 11, volume: 5 }, isNew: false })
  })

  it('missing in a candle that has been dropped', () => {
    const roller = fiveMinutes()
    roller.apply(minute(0, 10))
    for (let index = 5; index <= 64; index += 1) roller.apply(minute(index, 10))
    expect(roller.apply(minute(1, 11))).toBe('late')
  })
})

describe('the forming candle', () => {
  it('starts, grows, is corrected, and ends with the next one', () => {
    const roller = fiveMinutes()
    expect(roller.apply(minute(0, 10))).toMatchObject({ changed: { timeMs: noonMs, close: 10, volume: 1 }, isNew: true })
    expect(roller.apply(minute(0, 11))).toMatchObject({ changed: { open: 11, high: 11, low: 11, close: 11, volume: 1 }, isNew: false })
    expect(roller.apply(minute(1, 9))).toMatchObject({ changed: { open: 11, high: 11, low: 9, close: 9, volume: 2 }, isNew: false })
    expect(roller.apply(minute(0, 12))).toMatchObject({ changed: { open: 12, high: 12, low: 9, close: 9, volume: 2 }, isNew: false })
    expect(roller.apply(minute(5, 8))).toMatchObject({ changed: { timeMs: noonMs + 5 * minuteMs, open: 8 }, isNew: true })
    expect(roller.apply(minute(1, 7))).toMatchObject({ changed: { timeMs: noonMs, low: 7, close: 7 }, isNew: false })
    expect(roller.apply(minute(3, 6))).toMatchObject({ changed: { timeMs: noonMs, close: 6, volume: 3 }, isNew: false })
  })

  it('continues from its base', () => {
    const base: Candle = { ...minute(0, 10), high: 15, volume: 7 }
    const roller = fiveMinutes(base, noonMs + 2 * minuteMs)
    expect(roller.apply(minute(2, 12))).toEqual({ changed: { ...base, close: 12, volume: 8 }, isNew: false })
    expect(roller.apply(minute(5, 12))).toMatchObject({ isNew: true })
  })
})

describe('any stream of minutes', () => {
  /** An update of the newest minute, the next one, or an earlier one. */
  const streams = fc.tuple(
    minuteHistories,
    fc.array(
      fc.record({ back: fc.oneof({ weight: 3, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(120) }), values: minuteValues }),
      {
        maxLength: 150,
      },
    ),
  )

  it('gives the candle of all minutes after each update', async () => {
    await assertProperty(
      fc.property(
        fc.constantFrom(...sessionClasses),
        fc.constantFrom(...knownTimeframes),
        streams,
        (sessionClass, timeframe, [history, repeats]) => {
          const [first] = history
          if (first === undefined) return
          const roller = candleRoller({ sessionClass, timeframe, base: null, baseEndMs: first.timeMs })
          const known = new Map<number, Candle>()
          const statements = history.flatMap((stated, index) => {
            const repeat = repeats[index]
            const earlier = repeat && history[Math.max(0, index - repeat.back)]
            return repeat && earlier ? [stated, { ...repeat.values, timeMs: earlier.timeMs }] : [stated]
          })
          for (const stated of statements) {
            const stampMs = bucketOf(sessionClass, timeframe, stated.timeMs)?.timeMs
            const before = resample(inOrder(known), sessionClass, timeframe)
            const result = roller.apply(stated)
            if (result === 'late') {
              expect([...known.keys()].filter((timeMs) => timeMs > stated.timeMs).length).toBeGreaterThanOrEqual(1)
              continue
            }
            known.set(stated.timeMs, stated)
            const after = resample(inOrder(known), sessionClass, timeframe).find(({ timeMs }) => timeMs === stampMs)
            const wasThere = before.some(({ timeMs }) => timeMs === stampMs)
            expect(result).toEqual(after === undefined ? 'outside' : { changed: after, isNew: !wasThere })
          }
        },
      ),
      { numRuns: 120 },
    )
  })

  it('continues from a base as if it had seen all of it', async () => {
    await assertProperty(
      fc.property(
        fc.constantFrom(...sessionClasses),
        fc.constantFrom(...knownTimeframes),
        minuteHistories,
        fc.nat(100),
        (sessionClass, timeframe, history, cut) => {
          const next = history[cut]
          if (next === undefined) return
          const base = resample(history.slice(0, cut), sessionClass, timeframe).at(-1) ?? null
          const roller = candleRoller({ sessionClass, timeframe, base, baseEndMs: next.timeMs })
          let last: unknown
          for (const stated of history.slice(cut)) {
            const result = roller.apply(stated)
            if (result !== 'outside' && result !== 'late') last = result.changed
          }
          const whole = resample(history, sessionClass, timeframe).at(-1)
          expect(last ?? whole).toEqual(whole)
        },
      ),
      { numRuns: 200 },
    )
  })
})

function inOrder(known: ReadonlyMap<number, Candle>): Candle[] {
  return [...known.values()].toSorted((one, other) => one.timeMs - other.timeMs)
}
