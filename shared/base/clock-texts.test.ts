// Date and clock of the header.
import { describe, expect, it } from 'vitest'
import { clockTexts, stampText, zoneName } from './clock-texts.ts'

describe('clock', () => {
  it.each([
    ['2026-11-21T08:35:09Z', 'Asia/Kolkata', 'Sat, 21 Nov 2026', '02:05:09 PM'],
    ['2026-11-21T18:30:00Z', 'Asia/Kolkata', 'Sun, 22 Nov 2026', '12:00:00 AM'],
    ['2026-11-21T06:30:00Z', 'Asia/Kolkata', 'Sat, 21 Nov 2026', '12:00:00 PM'],
    ['2026-11-21T18:29:59Z', 'Asia/Kolkata', 'Sat, 21 Nov 2026', '11:59:59 PM'],
    ['2026-12-31T23:59:59Z', 'UTC', 'Thu, 31 Dec 2026', '11:59:59 PM'],
    ['2027-01-01T00:00:00Z', 'UTC', 'Fri, 1 Jan 2027', '12:00:00 AM'],
    ['2026-11-01T06:30:00Z', 'America/New_York', 'Sun, 1 Nov 2026', '01:30:00 AM'],
  ])('%s in %s', (now, zone, date, time) => {
    expect(clockTexts(Date.parse(now), zone)).toMatchObject({ date, time })
  })
})

describe('timestamp', () => {
  it.each([
    ['2026-11-22T17:45:09Z', 'Asia/Kolkata', '22 Nov 2026, 11:15:09 PM UTC+05:30'],
    ['2026-11-22T00:00:00Z', 'UTC', '22 Nov 2026, 12:00:00 AM UTC'],
    ['2026-07-01T12:00:00Z', 'America/New_York', '1 Jul 2026, 8:00:00 AM UTC-04:00'],
    ['2026-07-01T12:00:00Z', 'Europe/London', '1 Jul 2026, 1:00:00 PM UTC+01:00'],
  ])('%s in %s is unambiguous', (now, zone, text) => {
    expect(stampText(Date.parse(now), zone)).toBe(text)
  })
})

describe('short name of a zone', () => {
  it.each([
    ['Asia/Kolkata', 'IST'],
    ['Asia/Calcutta', 'IST'],
    ['UTC', 'UTC'],
    ['Europe/London', 'UTC'],
    ['Asia/Tokyo', 'UTC+9'],
    ['Asia/Kathmandu', 'UTC+5:45'],
    ['America/St_Johns', 'UTC-3:30'],
    ['America/Los_Angeles', 'UTC-8'],
  ])('%s is %s', (zone, name) => {
    expect(zoneName(zone, Date.parse('2026-11-23T12:00Z'))).toBe(name)
  })
})
