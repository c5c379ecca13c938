// Caption of a saved image.
import { describe, expect, it } from 'vitest'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { LiveCondition } from '#shared/market-data/live.ts'
import { pictureLines } from './picture-lines.ts'

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
      'CLOSED (opens Mon 04:30), PROXY: PAX Gold token (PAXG)   Source: Binance   Adjusted for splits and bonuses   22 Nov 2026, 23:15:09 UTC+05:30',
    ],
    [
      { condition: { ...condition, sessionClass: 'crypto' as const }, isConnected: false },
      '',
      'UTC',
      'PROXY: PAX Gold token (PAXG), STALE   Source: Binance   22 Nov 2026, 17:45:09 UTC',
    ],
    [{ condition: { ...condition, label: null }, isConnected: true }, '', 'UTC', '22 Nov 2026, 17:45:09 UTC'],
    [undefined, '', 'America/New_York', '22 Nov 2026, 12:45:09 UTC-05:00'],
  ])('shows badges, source, date and time: %#', (market, adjusted, zone, facts) => {
    expect(pictureLines({ instrument, timeframe: '60', market, adjusted, zone }, nowMs)).toEqual({
      title: 'XAU/USD  1h',
      name: 'Gold Spot / US Dollar',
      facts,
    })
  })
})
