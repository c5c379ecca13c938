// Money formats: rupees grouped by lakh, dollars by thousand.
import { formatNumber } from './format-number.ts'

export type Currency = 'INR' | 'USD'

/** For example ₹1,00,000 or $1,234.50: whole amounts without decimals, all others with two. */
export function formatMoney(amount: number, currency: Currency): string {
  const decimals = Number.isInteger(amount) ? 0 : 2
  return currency === 'INR' ? `₹${formatNumber(amount, decimals, 'en-IN')}` : `$${formatNumber(amount, decimals)}`
}
