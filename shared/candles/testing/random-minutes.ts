// Random minute histories with gaps, closed hours and nights, and a slow reference resampler.
import { array, constantFrom, integer, nat, oneof, record, tuple, constant, type Arbitrary } from 'fast-check'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { referenceBucket } from '#shared/trading-hours/testing/reference-buckets.ts'
import type { Timeframe } from '../timeframe.ts'
import type { Candle } from '../candle.ts'

/** Instants with special events nearby: opens, closes, auctions, clock changes, holidays. */
const places = [
  '2026-02-01T03:45Z',
  '2026-03-08T21:00Z',
  '2026-03-29T20:00Z',
  '2026-07-31T09:30Z',
  '2026-08-03T09:30Z',
  '2026-09-30T20:30Z',
  '2026-10-30T20:30Z',
  '2026-11-01T22:00Z',
  '2026-11-08T12:30Z',
  '2026-11-20T09:20Z',
  '2026-11-23T03:40Z',
  '2026-11-23T23:50Z',
].map((place) => Date.parse(place))

const steps = oneof({ weight: 12, arbitrary: integer({ min: 1, max: 4 }) }, { weight: 2, arbitrary: integer({ min: 30, max: 700 }) })

const volumes: Arbitrary<Pick<Candle, 'volume' | 'takerBuyVolume'>> = oneof(
  { weight: 6, arbitrary: tuple(nat(1000), nat(100)).map(([volume, share]) => ({ volume, takerBuyVolume: (volume * share) / 100 })) },
  { weight: 1, arbitrary: constantFrom(0, 0.1, 7).map((volume) => ({ volume, takerBuyVolume: null })) },
  { weight: 2, arbitrary: constant({ volume: null, takerBuyVolume: null }) },
)

const price = integer({ min: 50, max: 150 })

/** Values of a minute. */
export const minuteValues: Arbitrary<Omit<Candle, 'timeMs'>> = record({
  open: price,
  close: price,
  up: nat(20),
  down: nat(20),
  volumes,
}).map(({ open, close, up, down, volumes }) => ({
  open,
  high: Math.max(open, close) + up,
  low: Math.min(open, close) - down,
  close,
  ...volumes,
}))

/** Ascending minutes near one of these instants. */
export const minuteHistories: Arbitrary<Candle[]> = record({
  place: constantFrom(...places),
  before: nat(600),
  minutes: array(tuple(steps, minuteValues), { minLength: 1, maxLength: 250 }),
}).map(({ place, before, minutes }) => {
  let timeMs = place - before * minuteMs
  return minutes.map(([step, values]) => {
    timeMs += step * minuteMs
    // No Indian market is open then, and a list that starts at 00:00 UTC would be taken for days.
    if (timeMs % dayMs === 0) timeMs += minuteMs
    return { timeMs, ...values }
  })
})

/** Candles by definition: groups all parts by timestamp, then aggregates each group. Slow. */
export function slowResample(minutes: readonly Candle[], sessionClass: SessionClass, timeframe: Timeframe): Candle[] {
  const parts = new Map<number, Candle[]>()
  for (const minute of minutes) {
    const bucket = referenceBucket(sessionClass, timeframe, minute.timeMs)
    if (bucket !== null) parts.set(bucket.timeMs, [...(parts.get(bucket.timeMs) ?? []), minute])
  }
  return [...parts].toSorted(([one], [other]) => one - other).map(([timeMs, group]) => ({ timeMs, ...valuesOf(group) }))
}

function valuesOf(group: readonly Candle[]): Omit<Candle, 'timeMs'> {
  const traded = group.filter(({ volume }) => volume !== null)
  const unknownTakers = traded.filter(({ volume, takerBuyVolume }) => takerBuyVolume === null && volume !== 0)
  const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((total, number) => total + (number ?? 0), 0)
  return {
    open: group[0]?.open ?? Number.NaN,
    high: Math.max(...group.map(({ high }) => high)),
    low: Math.min(...group.map(({ low }) => low)),
    close: group.at(-1)?.close ?? Number.NaN,
    volume: traded.length === 0 ? null : sum(traded.map(({ volume }) => volume)),
    takerBuyVolume:
      unknownTakers.length > 0 || traded.every(({ takerBuyVolume }) => takerBuyVolume === null)
        ? null
        : sum(traded.map(({ takerBuyVolume }) => takerBuyVolume)),
  }
}
