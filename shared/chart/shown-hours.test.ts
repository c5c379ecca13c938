// Countdown and alarm follow the candle on the screen, also that of a substitute.
import { describe, expect, it } from 'vitest'
import { shownCountdown } from '#shared/candles/candle-countdown.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import { nextAlarm } from '#shared/workspace/next-alarm.ts'
import { chooseChart, type ChartListing } from './chart-choice.ts'
import { shownHours } from './shown-hours.ts'
import { defaultSubstitutesOf } from './default-substitutes.ts'

const zone = 'Asia/Kolkata'
const at = (text: string) => Date.parse(`2026-11-${text}+05:30`)

function hoursOf(slug: string, native: ChartListing['native'] = 'none', substitutes = defaultSubstitutesOf(slug)) {
  const instrument = findInstrument(slug)
  if (instrument === undefined) throw new Error(`no ${slug}`)
  const listing: ChartListing = { ...instrument, isStock: false, substitutes, native, firstChart: 'tezi' }
  const request = { preference: 'automatic', timeframe: '5', isWidgetUp: true, hasNoData: () => false } as const
  return shownHours(instrument.sessionClass, chooseChart(listing, request))
}

const countdownOf = (hours: ReturnType<typeof hoursOf>, now: string) => shownCountdown(hours, '5', { nowMs: at(now), zone })
const alarmOf = (sessionClass: ReturnType<typeof hoursOf>, now: string) =>
  nextAlarm({ sessionClass, timeframe: '5', zone }, { nowMs: at(now), secondsBefore: 10, doneCloseMs: undefined })

describe('NIFTY in the evening', () => {
  it('by its CFD counts down and sounds the alarm', () => {
    const hours = hoursOf('nifty')
    expect(countdownOf(hours, '20T20:01:00')).toMatchObject({ kind: 'running', remainingMs: 240_000 })
    expect(alarmOf(hours, '20T20:01:00')).toEqual({ atMs: at('20T20:04:50'), closeMs: at('20T20:05:00') })
  })

  it('by our own prices says when the market opens, and is silent', () => {
    const hours = hoursOf('nifty', 'real')
    expect(countdownOf(hours, '20T20:01:00')).toMatchObject({ kind: 'closed', opensAtMs: at('23T09:15:00') })
    expect(alarmOf(hours, '20T20:01:00')).toBeNull()
  })

  it('by its CFD is closed at the weekend', () => {
    expect(countdownOf(hoursOf('nifty'), '21T20:01:00')).toMatchObject({ kind: 'closed', opensAtMs: at('23T03:30:00') })
    expect(alarmOf(hoursOf('nifty'), '21T20:01:00')).toBeNull()
  })
})

it('a substitute of unknown hours closes its candles by the clock', () => {
  const hours = hoursOf('nifty', 'none', [{ symbol: 'X:CFD', title: 'Some CFD', widget: 'live', sessionClass: null }])
  expect(hours).toBeUndefined()
  expect(countdownOf(hours, '21T20:01:00')).toMatchObject({ kind: 'running', remainingMs: 240_000 })
  expect(alarmOf(hours, '21T20:01:00')).toEqual({ atMs: at('21T20:04:50'), closeMs: at('21T20:05:00') })
})

it.each([
  ['es', 'cme'],
  ['gold-future', 'metals'],
  ['banknifty', 'bse-index'],
  ['sensex', 'bse-index'],
  ['eur-usd', 'fx'],
])('%s by TradingView has the hours of %s', (slug, hours) => {
  expect(hoursOf(slug)).toBe(hours)
})
