// A topic that starts between two sessions, or in one that no calendar lists: the candle so far continues.
import { expect, test } from 'vitest'
import { minutesBetween } from '#server/testing/candles.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import { resample } from '#shared/candles/resample.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { CandleTopic } from './candle-topic.ts'

const at = (wallTime: string) => Date.parse(`${wallTime}+05:30`)
const minutes = minutesBetween(at('2026-11-16T09:15'), at('2026-11-20T12:00')).filter(({ timeMs }) => isTradingMinute('nse-equity', timeMs))

/** The candles after a start at an instant, from the minutes before it and then the later ones. */
function continued(all: typeof minutes, timeframe: Timeframe, untilMs: number) {
  const before = all.filter(({ timeMs }) => timeMs < untilMs)
  const start = { sessionClass: 'nse-equity', timeframe, hasOlder: false, startsAtMs: null, adjuster: undefined, wholeSinceMs: 0 } as const
  const topic = new CandleTopic({ ...start, candles: resample(before, 'nse-equity', timeframe), untilMs }, 1)
  topic.apply(all.slice(before.length), 2)
  return topic.newest(9)
}

test.each(['2026-11-19T15:35', '2026-11-19T20:00', '2026-11-20T09:15', '2026-11-20T11:00'])(
  'the week so far, read up to %s, is continued by later minutes',
  (until) => expect(continued(minutes, '1W', at(until))).toEqual(resample(minutes, 'nse-equity', '1W')),
)

test.each(['15', '1D', '1W', '1M'] as const)('a candle of %s continues on a Saturday after the last listed date', (timeframe) => {
  const all = [
    ...minutesBetween(at('2027-02-05T09:15'), at('2027-02-05T15:30')),
    ...minutesBetween(at('2027-02-06T11:30'), at('2027-02-06T11:45')),
  ]
  expect(continued(all, timeframe, at('2027-02-06T11:35'))).toEqual(resample(all, 'nse-equity', timeframe).slice(-9))
})
