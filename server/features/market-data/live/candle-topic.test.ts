// A topic that starts between two sessions: the candle of the week continues.
import { expect, test } from 'vitest'
import { minutesBetween } from '#server/testing/candles.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import { resample } from '#shared/candles/resample.ts'
import { CandleTopic } from './candle-topic.ts'

const at = (wallTime: string) => Date.parse(`${wallTime}+05:30`)
const minutes = minutesBetween(at('2026-11-16T09:15'), at('2026-11-20T12:00')).filter(({ timeMs }) => isTradingMinute('nse-equity', timeMs))

test.each(['2026-11-19T15:35', '2026-11-19T20:00', '2026-11-20T09:15', '2026-11-20T11:00'])(
  'the week so far, read up to %s, is continued by later minutes',
  (until) => {
    const untilMs = at(until)
    const candles = resample(
      minutes.filter(({ timeMs }) => timeMs < untilMs),
      'nse-equity',
      '1W',
    )
    const start = {
      sessionClass: 'nse-equity',
      timeframe: '1W',
      hasOlder: false,
      startsAtMs: null,
      adjuster: undefined,
      wholeSinceMs: 0,
    } as const
    const topic = new CandleTopic({ ...start, candles, untilMs }, 1)
    topic.apply(
      minutes.filter(({ timeMs }) => timeMs >= untilMs),
      2,
    )
    expect(topic.newest(9)).toEqual(resample(minutes, 'nse-equity', '1W'))
  },
)
