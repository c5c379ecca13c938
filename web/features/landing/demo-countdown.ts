// Countdown of the demo; imports nothing, because the script of the prerendered page has nothing else.

/** As wide as the time that replaces it. */
const placeholder = '‒‒:‒‒'

/**
 * Time left in a candle of up to an hour, for example 04:09, by the device's clock.
 * Not the product's countdown: that needs Temporal, which older browsers would have to load first.
 */
export function demoCountdown(minutes: number, now: Date): string {
  const left = (minutes - 1 - (now.getMinutes() % minutes)) * 60 + (60 - now.getSeconds())
  return [Math.floor(left / 60), left % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** The countdown, or a placeholder at build time, when nobody's clock is known. */
export function countdownText(minutes: number, nowMs: number): string {
  return typeof document === 'undefined' ? placeholder : demoCountdown(minutes, new Date(nowMs))
}
