// Caption of a saved image.
import { describe, expect, it, test } from 'vitest'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { pictureLines, wrapped } from './picture-lines.ts'

const nowMs = Date.parse('2026-11-22T23:15:09+05:30')
const condition: LiveCondition = {
  label: { mode: 'live', source: 'Binance', delayMinutes: 0, proxy: 'PAX Gold token (PAXG)' },
  sessionClass: 'metals',
  isStale: false,
  reason: null,
}

describe('the caption of an image', () => {
  const instrument = findInstrument('xau-usd')
  if (instrument === undefined) throw new Error('no gold')
  it.each([
    [
      { condition, isConnected: true },
      'Adjusted for splits and bonuses',
      'Asia/Kolkata',
      'CLOSED (opens Mon 4:30 AM), PROXY: PAX Gold token (PAXG)   Source: Binance   Adjusted for splits and bonuses   22 Nov 2026, 11:15:09 PM UTC+05:30',
    ],
    [
      { condition: { ...condition, sessionClass: 'crypto' as const }, isConnected: false },
      '',
      'UTC',
      'PROXY: PAX Gold token (PAXG), STALE   Source: Binance   22 Nov 2026, 5:45:09 PM UTC',
    ],
    [{ condition: { ...condition, label: null }, isConnected: true }, '', 'UTC', '22 Nov 2026, 5:45:09 PM UTC'],
    [undefined, '', 'America/New_York', '22 Nov 2026, 12:45:09 PM UTC-05:00'],
  ])('shows badges, source, date and time: %#', (market, adjusted, zone, facts) => {
    expect(pictureLines({ instrument, timeframe: '60', market, adjusted, zone, frame: { bar: undefined, studies: [] } }, nowMs)).toEqual({
      title: 'XAU/USD  1h',
      name: 'Gold Spot / US Dollar',
      facts,
      bar: [],
      studies: [],
    })
  })

  it('has time, prices and volume of the bar, and the values of visible studies', () => {
    const bar = { index: 3, moment: 'Mon 23 Nov 2026  9:15 AM', open: '1', high: '4', low: '0', close: '2', change: '+1 (+100.00%)' }
    const study = { name: 'SMA', summary: '20', note: undefined, paneTopPx: 0, isHidden: false }
    const reading = { label: 'SMA', text: '1.50', tone: 'plain' } as const
    const studies = [
      { ...study, id: 'sma' as const, readings: [reading] },
      { ...study, id: 'ema' as const, isHidden: true, readings: [reading] },
    ]
    const frame = { bar: { ...bar, isUp: true, volume: '1.2K' }, studies }
    const lines = pictureLines({ instrument, timeframe: '60', market: undefined, adjusted: '', zone: 'UTC', frame }, nowMs)
    expect(lines).toMatchObject({
      bar: ['Mon 23 Nov 2026  9:15 AM', 'O 1  H 4  L 0  C 2', '+1 (+100.00%)', 'Vol 1.2K'],
      studies: ['SMA 20 1.50'],
    })
  })
})

test.for([
  ['nothing', [], []],
  ['as many as fit', ['aaaa', 'bb', 'cccccc'], ['aaaa   bb', 'cccccc']],
  ['one that is too long alone', ['aaaaaaaaaaaaaa', 'b'], ['aaaaaaaaaaaaaa', 'b']],
] as const)('lines of studies: %s', ([, texts, lines]) => {
  expect(wrapped(texts, 10, (line) => line.length)).toEqual(lines)
})
