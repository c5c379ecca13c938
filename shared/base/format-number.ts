// Number formats: fixed decimals, a true minus sign, a sign on every change.

const minus = '\u2212'

/** A number with fixed decimals, grouped for the locale (en-IN for rupees and Indian markets, en-US else). */
export function formatNumber(value: number, decimals: number, locale: 'en-IN' | 'en-US' = 'en-US'): string {
  const text = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)
  return text.replace('-', minus)
}

/** A change in percent with its sign, for example +0.42% or −1.10%; zero after rounding has no sign. */
export function formatChange(percent: number): string {
  const text = formatNumber(Math.abs(percent), 2)
  const sign = text === '0.00' ? '' : percent < 0 ? minus : '+'
  return `${sign}${text}%`
}
