// Formats prices, volumes and times of one instrument.
import { timeOfDay } from '#shared/base/time-of-day.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { calendarText } from '#shared/base/text/en.ts'

export interface PriceText {
  readonly price: (value: number) => string
  /** With a sign, except for zero. */
  readonly change: (value: number) => string
}

const minus = '\u2212'
const cachedMax = 500

/** Fixed decimals of the instrument, Indian grouping for Indian markets, a true minus sign. */
export function priceText({ priceDecimals, currency, sessionClass }: Instrument): PriceText {
  const isIndian = currency === 'INR' || isIndianMarket(sessionClass)
  const format = new Intl.NumberFormat(isIndian ? 'en-IN' : 'en-US', {
    minimumFractionDigits: priceDecimals,
    maximumFractionDigits: priceDecimals,
  })
  const smallest = 10 ** -priceDecimals / 2
  // Cache: every frame formats the same axis labels several times.
  const cached = new Map<number, string>()
  const price = (value: number) => {
    const before = cached.get(value)
    if (before !== undefined) return before
    const text = format.format(Math.abs(value) < smallest ? 0 : value).replace('-', minus)
    if (cached.size === cachedMax) cached.clear()
    cached.set(value, text)
    return text
  }
  return { price, change: (value) => (value > 0 ? `+${price(value)}` : price(value)) }
}

/** With a sign, except for zero; for example +0.38%. */
export function percentText(percent: number): string {
  const digits = Math.abs(percent).toFixed(2)
  if (digits === '0.00') return `${digits}%`
  return `${percent > 0 ? '+' : minus}${digits}%`
}

export function isIndianMarket(sessionClass: Instrument['sessionClass']): boolean {
  return sessionClass === 'nse-equity' || sessionClass === 'nse-index' || sessionClass === 'bse-index'
}

const large = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 })

/** For example 1.25M. */
export function volumeText(value: number): string {
  return large.format(value).replace('-', minus)
}

const { months, weekdays } = calendarText

/** Formats a wall clock time given as UTC: `Fri 20 Nov 2026`, with the time of day unless `isDate`. */
export function momentText(wallMs: number, isDate: boolean): string {
  const at = new Date(wallMs)
  const date = `${weekdays[(at.getUTCDay() + 6) % 7]} ${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`
  return isDate ? date : `${date}  ${timeAt(at)}`
}

/** Label on the time axis; `weight` is the library's tick unit: year, month, day, time, time with seconds. */
export function markText(wallMs: number, weight: number): string {
  const at = new Date(wallMs)
  if (weight === 0) return String(at.getUTCFullYear())
  if (weight === 1) return months[at.getUTCMonth()] ?? ''
  if (weight === 2) return String(at.getUTCDate())
  return timeAt(at)
}

const roundMinutes = [60, 30, 15, 5] as const

/** The round time of day up to this long before: grouped bars seldom start on the hour that they cover. */
export function roundedMark(wallMs: number, withinMs: number): number {
  const rounded = roundMinutes.map((minutes) => wallMs - (wallMs % (minutes * 60_000)))
  return rounded.find((ms) => wallMs - ms < withinMs) ?? wallMs
}

function timeAt(at: Date): string {
  return timeOfDay(at.getUTCHours(), at.getUTCMinutes())
}
