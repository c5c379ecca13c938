// Providers whose responses are shorter than requested: every row arrives, and closed hours are not requested.
import { describe, expect, it, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minutesBetween } from '#server/testing/candles.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import { historySpans, loadWholeSpan } from './load-history.ts'

const fromMs = Date.parse('2026-11-20T03:45:00Z')
const span = { fromMs, toMs: fromMs + 24 * hourMs }
const all = minutesBetween(span.fromMs, span.toMs)

/** A provider that returns at most `rowsMax` rows, the first or the last ones. */
function provider(rowsMax: number, isNewestFirst: boolean, rows = all) {
  const asked: TimeSpan[] = []
  return {
    asked,
    load: (part: TimeSpan) => {
      asked.push(part)
      const found = rows.filter(({ timeMs }) => timeMs >= part.fromMs && timeMs < part.toMs)
      return Promise.resolve(isNewestFirst ? found.slice(-rowsMax) : found.slice(0, rowsMax))
    },
  }
}

test('asked for 1,440 minutes, a provider that returns 500 at a time is asked until the end', async () => {
  for (const isNewestFirst of [false, true]) {
    const { load, asked } = provider(500, isNewestFirst)
    expect(await loadWholeSpan('1m', span, { sessionClass: null, load })).toEqual(all)
    expect(asked).toHaveLength(3)
  }
})

test('any shortness and any quiet minutes, and no row twice', async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.integer({ min: 60, max: 2_000 }),
      fc.boolean(),
      fc.array(fc.nat(1_439), { maxLength: 60 }),
      async (rowsMax, way, quiet) => {
        const rows = all.filter((_, index) => !quiet.includes(index))
        const { load } = provider(rowsMax, way, rows)
        expect(await loadWholeSpan('1m', span, { sessionClass: null, load })).toEqual(rows)
      },
    ),
  )
})

test('a provider that adds rows around the asked part leaves every row once and in order', async () => {
  const first = all[100]?.timeMs ?? 0
  const margin = minutesBetween(span.fromMs - hourMs, span.toMs + hourMs).filter(({ timeMs }) => timeMs < span.fromMs || timeMs >= first)
  const isOutside = ({ timeMs }: { timeMs: number }) => timeMs < span.fromMs || timeMs >= span.toMs
  // As Kraken: rows up to the present, whatever is asked; and a page that has nothing of the part.
  const toThePresent = ({ fromMs: sinceMs }: TimeSpan) => Promise.resolve(margin.filter(({ timeMs }) => timeMs >= sinceMs - hourMs))
  const found = await loadWholeSpan('1m', span, { sessionClass: null, load: toThePresent })
  expect(found).toEqual(margin)
  const half = span.fromMs + 12 * hourMs
  const startsLate = (part: TimeSpan) =>
    Promise.resolve(margin.filter((row) => isOutside(row) || (row.timeMs >= Math.max(part.fromMs, half) && row.timeMs < part.toMs)))
  expect(await loadWholeSpan('1m', span, { sessionClass: null, load: startsLate })).toEqual(
    margin.filter((row) => isOutside(row) || row.timeMs >= half),
  )
})

test('a bad row with a time outside the asked part keeps its place', async () => {
  const bad = { ...(all[19] ?? { open: 1, high: 1, low: 1, close: 1, volume: 1, takerBuyVolume: null }), timeMs: span.toMs + 24 * hourMs }
  const rows = [...all.slice(0, 19), bad, ...all.slice(20)]
  const stampOf = (index: number): number => all[index]?.timeMs ?? 0
  /** At most ten rows of the part, by the time that they were meant to have. */
  const load = ({ fromMs: sinceMs, toMs }: TimeSpan) =>
    Promise.resolve(rows.filter((_, index) => stampOf(index) >= sinceMs && stampOf(index) < toMs).slice(0, 10))
  const part = { fromMs, toMs: fromMs + 40 * minuteMs }
  expect(await loadWholeSpan('1m', part, { sessionClass: null, load })).toEqual(rows.slice(0, 40))
})

test('an empty response ends it, and closed hours are not requested', async () => {
  const none = provider(500, false, [])
  expect(await loadWholeSpan('1m', span, { sessionClass: null, load: none.load })).toEqual([])
  expect(none.asked).toHaveLength(1)
  const rows = all.filter(({ timeMs }) => isTradingMinute('nse-equity', timeMs))
  const night = provider(500, false, rows)
  expect(await loadWholeSpan('1m', { fromMs, toMs: fromMs + 18 * hourMs }, { sessionClass: 'nse-equity', load: night.load })).toEqual(rows)
  expect(night.asked).toHaveLength(1)
})

test('a provider that returns row by row is given up', async () => {
  const { load } = provider(1, false)
  await expect(loadWholeSpan('1m', span, { sessionClass: null, load })).rejects.toMatchObject({ kind: 'malformed' })
  expect((await loadWholeSpan('1m', { fromMs, toMs: fromMs + 20 * minuteMs }, { sessionClass: null, load })).length).toBe(20)
})

describe('spans', () => {
  it('are empty for an empty range', () => {
    expect(historySpans({ fromMs: 5, toMs: 5 }, 10)).toEqual([])
    expect(historySpans({ fromMs: 5, toMs: 4 }, 10)).toEqual([])
  })

  it('join, stay within the maximum length, and cover the request', async () => {
    await assertProperty(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 300 }), (fromMs, length, spanMs) => {
        const spans = historySpans({ fromMs, toMs: fromMs + length }, spanMs)
        expect(spans[0]?.fromMs).toBe(fromMs)
        expect(spans.at(-1)?.toMs).toBe(fromMs + length)
        for (const [i, span] of spans.entries()) {
          expect(span.toMs - span.fromMs).toBeLessThanOrEqual(spanMs)
          if (i > 0) expect(span.fromMs).toBe(spans[i - 1]?.toMs)
        }
      }),
    )
  })
})
