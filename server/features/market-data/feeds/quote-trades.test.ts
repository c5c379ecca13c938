// Trades derived from quotes with cumulative day volume: what counts, what does not, and when the count restarts.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { QuoteTrades } from './quote-trades.ts'
import { manualClock } from './testing/manual-clock.ts'

const noonMs = Date.UTC(2026, 10, 20, 6, 30)

type Step = 'cut' | 'live' | readonly [atMs: number, price: number, dayVolume: number | null, timeMs?: number | null]

/** Sizes derived from quotes that arrive `atMs` after noon, with a question mark if suspect. */
function sizesOf(...steps: readonly Step[]): (number | null | string)[] {
  const clock = manualClock(noonMs)
  const quotes = new QuoteTrades(() => clock.now())
  const sizes: (number | null | string)[] = []
  for (const step of steps) {
    if (step === 'cut') {
      quotes.cut()
      continue
    }
    if (step === 'live') {
      quotes.live('NSE:RELIANCE')
      continue
    }
    const [atMs, price, dayVolume, timeMs = noonMs + atMs] = step
    clock.advance(noonMs + atMs - clock.now())
    const { trade, isSuspect } = quotes.read('NSE:RELIANCE', { price, dayVolume, timeMs })
    sizes.push(isSuspect ? `${trade?.size ?? 'nothing'}?` : trade === null ? 'nothing' : trade.size)
  }
  return sizes
}

const nextMorningMs = 20 * hourMs

describe('quotes with the volume of the day', () => {
  it.each<[string, readonly Step[], unknown[]]>([
    ['a snapshot of an earlier minute is no trade', ['live', [5000, 100, 900, noonMs - minuteMs]], ['nothing']],
    ['a snapshot of the present minute is a price without volume', ['live', [5000, 100, 900]], [0]],
    ['the difference is what was traded', ['live', [0, 100, 900], [1000, 101, 950], [2000, 101, 951]], [0, 50, 1]],
    [
      'a quote in which only the order book changed is no trade',
      ['live', [0, 100, 900], [1000, 101, 950], [2000, 101, 950, noonMs + 1000]],
      [0, 50, 'nothing'],
    ],
    ['the same quote twice counts once', ['live', [0, 100, 900], [1000, 101, 950], [1000, 101, 950]], [0, 50, 'nothing']],
    [
      'a late quote within the minute is not counted twice',
      ['live', [0, 100, 900], [2000, 102, 960], [3000, 101, 950, noonMs + 1000], [4000, 103, 970]],
      [0, 60, 0, 10],
    ],
    ['the next session begins at nothing', ['live', [0, 100, 900], [nextMorningMs, 101, 30], [nextMorningMs + 1000, 102, 45]], [0, 30, 15]],
    ["so does one that has passed yesterday's volume with its first quote", ['live', [0, 100, 900], [nextMorningMs, 101, 950]], [0, 950]],
    ['and one on the evening of the same day', ['live', [0, 100, 900], [7 * hourMs, 101, 30]], [0, 30]],
    [
      'a later and lower count is a correction, and the count goes on from it',
      ['live', [0, 100, 900], [1000, 101, 880], [2000, 102, 885]],
      [0, 0, 5],
    ],
    [
      'a packet without volume in between leaves the next size open',
      ['live', [0, 100, 900], [1000, 101, null], [2000, 102, 950]],
      [0, null, 0],
    ],
    [
      "a time far ahead is the provider's mistake and means now",
      ['live', [0, 100, 900], [1000, 101, 950, noonMs + 5.5 * hourMs], [2000, 102, 955]],
      [0, 50, 5],
    ],
  ])('%s', (_, steps, expected) => {
    expect(sizesOf(...steps)).toEqual(expected)
  })
})

describe('a gap between quotes', () => {
  it.each<[string, readonly Step[], unknown[]]>([
    ['within one minute loses nothing', ['live', [0, 100, 900], 'cut', [9000, 101, 950], [9500, 102, 960]], [0, 50, 10]],
    [
      'over minutes leaves the missed volume to history',
      ['live', [0, 100, 900], 'cut', [minuteMs, 101, 990], [minuteMs + 1000, 102, 995]],
      [0, '0?', 5],
    ],
    ['is not suspect in the minute in which history is requested', ['live', [0, 100, 900], 'cut', 'live', [59_000, 101, 990]], [0, 90]],
    [
      'is reported as suspect only once',
      ['live', [0, 100, 900], 'cut', [minuteMs, 101, 990], 'live', [minuteMs + 1000, 101, 991]],
      [0, '0?', 1],
    ],
    [
      'is followed by a snapshot from its time, which is no trade',
      ['live', [0, 100, 900], 'cut', [3 * minuteMs, 101, 990, noonMs + minuteMs]],
      [0, 'nothing'],
    ],
    ['is there at the beginning, where no snapshot comes in the minute of going live', ['live', [minuteMs, 100, 900]], ['0?']],
    [
      'is what a quote from the minute before may hide',
      ['live', [0, 100, 900], [minuteMs, 102, 960], [minuteMs + 500, 101, 950, noonMs + 59_000]],
      [0, 60, '0?'],
    ],
    [
      'is what two quotes of one second in the wrong order may hide',
      ['live', [0, 100, 900], [2000, 102, 960], [2500, 101, 950, noonMs + 2000]],
      [0, 60, 'nothing?'],
    ],
  ])('%s', (_, steps, expected) => {
    expect(sizesOf(...steps)).toEqual(expected)
  })
})

describe('quotes of an index', () => {
  it.each<[string, readonly Step[], unknown[]]>([
    [
      'have no volume',
      [
        [0, 24_000, null],
        [1000, 24_001, null],
      ],
      [null, null],
    ],
    [
      'count with an unchanged value at a new time',
      [
        [0, 24_000, null],
        [1000, 24_000, null],
      ],
      [null, null],
    ],
    [
      'count once',
      [
        [0, 24_000, null],
        [500, 24_000, null, noonMs],
      ],
      [null, 'nothing'],
    ],
    [
      'without a time happen now',
      [
        [0, 24_000, null, null],
        [1000, 24_000, null, null],
      ],
      [null, null],
    ],
  ])('%s', (_, steps, expected) => {
    expect(sizesOf(...steps)).toEqual(expected)
  })
})

describe('any continuous stream', () => {
  it('adds up to the last volume minus the first one', async () => {
    const steps = fc.array(fc.record({ gapMs: fc.nat(20 * minuteMs), size: fc.nat(1000), isRepeated: fc.boolean() }), { maxLength: 60 })
    await assertProperty(
      fc.property(steps, (list) => {
        const clock = manualClock(noonMs)
        const quotes = new QuoteTrades(() => clock.now())
        let dayVolume = 5000
        let total = 0
        quotes.read('X', { price: 100, dayVolume, timeMs: null })
        for (const { gapMs, size, isRepeated } of list) {
          clock.advance(gapMs)
          dayVolume += size
          // The count passes midnight here, which no exchange does, so such runs are cut off.
          if (clock.now() > noonMs + 11 * hourMs) break
          for (let times = isRepeated ? 2 : 1; times > 0; times -= 1)
            total += quotes.read('X', { price: 100, dayVolume, timeMs: null }).trade?.size ?? 0
          expect(total).toBe(dayVolume - 5000)
        }
      }),
    )
  })

  it('starts over for a symbol that was reset', () => {
    const quotes = new QuoteTrades(() => noonMs)
    quotes.read('X', { price: 100, dayVolume: 10, timeMs: null })
    quotes.forget('X')
    expect(quotes.read('X', { price: 101, dayVolume: 90, timeMs: null })).toMatchObject({ trade: { size: 0 }, isSuspect: true })
  })
})
