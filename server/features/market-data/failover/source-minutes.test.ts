// Which of two updates of one minute wins, what is emitted, and when a minute is closed.
import { describe, expect, it } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { SourceMinutes } from './source-minutes.ts'

const noonMs = Date.parse('2026-11-20T07:00Z')

/** A candle at noon with a volume; its close identifies the update. */
const state = (close: number, volume: number | null = 1, reach = 10): Candle => ({
  timeMs: noonMs,
  open: 50,
  high: 60 + reach,
  low: 40 - reach,
  close,
  volume,
  takerBuyVolume: null,
})

type Statement = readonly [how: 'so far' | 'final' | 'history', candle: Candle]

/** The resulting close after updates one second apart; the history request was sent 1.5 seconds before its response. */
function closeAfter(statements: readonly Statement[]): number | undefined {
  const minutes = new SourceMinutes()
  for (const [index, [how, candle]] of statements.entries()) {
    const nowMs = noonMs + minuteMs + index * 1000
    if (how === 'history') minutes.addHistory([candle], nowMs - 1500)
    else minutes.receive(candle, how === 'final', nowMs)
  }
  return minutes.drain().at(-1)?.candle.close
}

describe('of two updates', () => {
  const rows: readonly (readonly [why: string, first: Statement, second: Statement, holds: number])[] = [
    ['the later one wins', ['so far', state(51, 1)], ['so far', state(52, 2)], 52],
    ['one with less volume is older', ['so far', state(52, 2)], ['so far', state(51, 1)], 52],
    ['without volume, one with a narrower range is older', ['so far', state(52, null, 10)], ['so far', state(51, null, 5)], 52],
    ['without volume and with equal ranges, the later one wins', ['so far', state(51, null)], ['so far', state(52, null)], 52],
    ['a final one wins against a non-final one, whatever its volume', ['so far', state(51, 9)], ['final', state(52, 2)], 52],
    ['a non-final one after a final one is late', ['final', state(52, 2)], ['so far', state(51, 9)], 52],
    ['a later final one is a correction', ['final', state(51, 2)], ['final', state(52, 1)], 52],
    ['history wins against a non-final one', ['so far', state(51, 9)], ['history', state(52, 2)], 52],
    ['history requested before the final one loses', ['final', state(52, 2)], ['history', state(51, 2)], 52],
    ['a final one wins against history', ['history', state(51, 2)], ['final', state(52, 2)], 52],
  ]
  it.each(rows)('%s', (_why, first, second, holds) => {
    expect(closeAfter([first, second])).toBe(holds)
  })
})

describe('emitting', () => {
  it('emits each update once, in time order', () => {
    const minutes = new SourceMinutes()
    minutes.receive({ ...state(52), timeMs: noonMs + minuteMs }, false, noonMs + minuteMs)
    minutes.receive(state(51), false, noonMs + minuteMs)
    expect(minutes.drain().map(({ candle }) => candle.timeMs)).toEqual([noonMs, noonMs + minuteMs])
    minutes.receive(state(51), false, noonMs + minuteMs)
    expect(minutes.drain()).toEqual([])
  })

  it('never reopens a minute', () => {
    const minutes = new SourceMinutes()
    minutes.receive(state(51, 1), false, noonMs)
    minutes.closeBefore(noonMs + minuteMs + 2000)
    minutes.receive(state(52, 2), false, noonMs + minuteMs + 3000)
    expect(minutes.drain()).toMatchObject([{ candle: { close: 52 }, isClosed: true }])
  })

  it('ignores a duplicate of an evicted minute', () => {
    const minutes = new SourceMinutes()
    for (let index = 0; index < 2000; index += 1) {
      minutes.receive({ ...state(51), timeMs: noonMs + index * minuteMs }, true, noonMs + index * minuteMs)
      minutes.drain()
    }
    minutes.receive(state(51), true, noonMs + 2000 * minuteMs)
    expect(minutes.drain()).toEqual([])
  })
})

describe('a closed minute', () => {
  const notified = state(51, 0.3)
  /** Output for a minute that was emitted as closed, after history has returned it. */
  const toldAfter = (known: Partial<Candle>, recalled: Partial<Candle>) => {
    const minutes = new SourceMinutes()
    minutes.receive({ ...notified, ...known }, true, noonMs)
    minutes.drain()
    minutes.addHistory([{ ...notified, ...recalled }], noonMs + 1000)
    return minutes.drain().map(({ candle }) => candle)
  }
  const rows: readonly (readonly [why: string, known: Partial<Candle>, recalled: Partial<Candle>, news: readonly Partial<Candle>[]])[] = [
    ['is corrected where the volume differs', { volume: 5 }, { volume: 5.1 }, [{ volume: 5.1 }]],
    ['is corrected where there was no volume', { volume: null }, { volume: 0 }, [{ volume: 0 }]],
    ['is corrected where there is no volume any more', { volume: 0 }, { volume: null }, [{ volume: null }]],
    ['is corrected where the price differs by the last digit', { close: 0.1 + 0.2, low: 0.1 }, { close: 0.3, low: 0.1 }, [{ close: 0.3 }]],
    ['loses what buyers took with another price', { takerBuyVolume: 0.1 }, { close: 52 }, [{ close: 52, takerBuyVolume: null }]],
    ['loses what buyers took with another volume', { takerBuyVolume: 0.1 }, { volume: 0.4 }, [{ volume: 0.4, takerBuyVolume: null }]],
    ['is corrected where it becomes known what buyers took', {}, { takerBuyVolume: 0.1 }, [{ takerBuyVolume: 0.1 }]],
    ['is not corrected by the rounding of a sum', { volume: 0.1 + 0.2 }, { volume: 0.3 }, []],
    ['is not corrected by a history that does not know what buyers took', { takerBuyVolume: 0.1 }, {}, []],
    ['is not corrected by both', { volume: 0.1 + 0.2, takerBuyVolume: 0.1 }, { volume: 0.3 }, []],
  ]
  it.each(rows)('%s', (_why, known, recalled, news) => {
    expect(toldAfter(known, recalled)).toEqual(news.map((one) => ({ ...notified, ...recalled, ...one })))
  })

  it('keeps the taker buy volume of the stream if history closes it with the same values', () => {
    const minutes = new SourceMinutes()
    minutes.receive({ ...notified, volume: 0.1 + 0.2, takerBuyVolume: 0.1 }, false, noonMs)
    minutes.drain()
    minutes.addHistory([notified], noonMs + minuteMs)
    expect(minutes.drain()).toEqual([{ candle: { ...notified, takerBuyVolume: 0.1 }, isClosed: true }])
    minutes.addHistory([{ ...notified, close: 52 }], noonMs + minuteMs)
    expect(minutes.drain()).toMatchObject([{ candle: { close: 52, takerBuyVolume: null } }])
  })
})

describe('a forming minute', () => {
  it('is emitted on every change, however small', () => {
    const minutes = new SourceMinutes()
    minutes.receive(state(51, 1_000_000_000), false, noonMs)
    minutes.drain()
    minutes.receive(state(51, 1_000_000_000.5), false, noonMs)
    expect(minutes.drain()).toMatchObject([{ candle: { volume: 1_000_000_000.5 } }])
  })
})

describe('a partial minute', () => {
  it('is not closed by the clock, but by a final update or by history', () => {
    const minutes = new SourceMinutes()
    minutes.suspect(noonMs, noonMs)
    minutes.receive(state(51), false, noonMs)
    minutes.closeBefore(noonMs + 10 * minuteMs)
    expect([minutes.drain()[0]?.isClosed, minutes.suspects()]).toEqual([false, [noonMs]])
    minutes.addHistory([state(52)], noonMs + 10 * minuteMs)
    expect([minutes.drain()[0]?.isClosed, minutes.suspects()]).toEqual([true, []])
  })

  it('is closed by the clock once it is known to be complete', () => {
    const minutes = new SourceMinutes()
    minutes.suspect(noonMs, noonMs)
    minutes.receive(state(51), false, noonMs)
    minutes.accept()
    minutes.closeBefore(noonMs + minuteMs + 2000)
    expect(minutes.drain()).toMatchObject([{ isClosed: true }])
  })
})
