// Properties of all candles of 2026: they tile their sessions, and equal those of a slow reference.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { knownTimeframes } from '#shared/candles/timeframe.ts'
import { bucketer, bucketOf } from '#shared/candles/bucketer.ts'
import { calendarOf } from './calendar.ts'
import { sessionClasses } from './session-class.ts'
import type { Session } from './session.ts'
import { referenceBucket, referenceSession } from './testing/reference-buckets.ts'

const classes = fc.constantFrom(...sessionClasses)
const anyTimeframe = fc.constantFrom(...knownTimeframes)
const insideDay = fc.constantFrom('1', '3', '5', '15', '30', '60', '120', '240', '1D')
// The reference covers one year; candles of its first and last weeks extend beyond it.
const instants = fc.integer({ min: Date.parse('2026-01-06'), max: Date.parse('2026-12-22') })
const dates = fc.integer({ min: 0, max: 364 }).map((days) => Temporal.PlainDate.from('2026-01-01').add({ days }))

/** Where trading continues after a candle: at its end, or after a pause. */
function startAfterPause({ segments, closeMs }: Session, endMs: number): number {
  const next = segments.find((segment) => segment.endMs > endMs)
  return next === undefined ? closeMs : Math.max(endMs, next.startMs)
}

describe('candles', () => {
  it('equal the slow reference', async () => {
    await assertProperty(
      fc.property(classes, anyTimeframe, instants, (sessionClass, timeframe, ms) => {
        expect(bucketOf(sessionClass, timeframe, ms)).toEqual(referenceBucket(sessionClass, timeframe, ms))
      }),
      { numRuns: 4000 },
    )
  })

  it('equal the slow reference near openings and closes, too', async () => {
    const offsets = fc.integer({ min: -2 * minuteMs, max: 2 * minuteMs })
    const edges = fc.constantFrom('open' as const, 'continuousEnd' as const, 'close' as const)
    await assertProperty(
      fc.property(classes, anyTimeframe, dates, edges, offsets, (sessionClass, timeframe, date, edge, offsetMs) => {
        const ms = (referenceSession(sessionClass, date)?.[edge].epochMilliseconds ?? 0) + offsetMs
        if (ms < Date.parse('2026-01-06') || ms > Date.parse('2026-12-22')) return
        expect(bucketOf(sessionClass, timeframe, ms)).toEqual(referenceBucket(sessionClass, timeframe, ms))
      }),
      { numRuns: 2000 },
    )
  })

  it('tile each session without gap or overlap, with ascending timestamps inside it', async () => {
    await assertProperty(
      fc.property(classes, insideDay, dates, (sessionClass, timeframe, date) => {
        const session = calendarOf(sessionClass).sessionOn(date.toString())
        if (session === null) return
        let atMs = session.openMs
        let stampMs = -Infinity
        while (atMs < session.closeMs) {
          const bucket = bucketOf(sessionClass, timeframe, atMs)
          if (bucket === null) throw new Error(`A gap at ${atMs}`)
          expect([bucket.startMs, bucket.sessionDate]).toEqual([atMs, session.date])
          expect(bucketOf(sessionClass, timeframe, bucket.endMs - 1)).toEqual(bucket)
          expect(bucket.timeMs).toBeGreaterThan(stampMs)
          expect(timeframe === '1D' || (bucket.timeMs >= bucket.startMs && bucket.timeMs < bucket.endMs)).toBe(true)
          expect(bucket.endMs).toBeGreaterThan(atMs)
          stampMs = bucket.timeMs
          atMs = startAfterPause(session, bucket.endMs)
        }
        expect(atMs).toBe(session.closeMs)
      }),
      { numRuns: 300 },
    )
  })

  it('contain their own timestamp below 1D, so that small candles can be aggregated', async () => {
    await assertProperty(
      fc.property(
        classes,
        fc.constantFrom('1', '3', '5', '15', '30'),
        fc.constantFrom('60', '120', '240'),
        instants,
        (sessionClass, small, large, ms) => {
          const bucket = bucketOf(sessionClass, small, ms)
          if (bucket === null) return
          expect(bucketOf(sessionClass, large, bucket.timeMs)).toEqual(bucketOf(sessionClass, large, ms))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('do not depend on earlier calls', async () => {
    await assertProperty(
      fc.property(classes, anyTimeframe, instants, instants, (sessionClass, timeframe, first, second) => {
        const find = bucketer(sessionClass, timeframe)
        find(first)
        expect(find(second)).toEqual(bucketer(sessionClass, timeframe)(second))
        expect(find(first)).toEqual(bucketer(sessionClass, timeframe)(first))
      }),
      { numRuns: 500 },
    )
  })
})
