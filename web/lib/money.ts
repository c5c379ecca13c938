// Amounts as the two kinds of buyers read them: rupees grouped by lakh, dollars by thousand.
import { formatNumber } from './format.ts'

export type Currency = 'INR' | 'USD'

/** Such as ₹1,00,000 or $1,234.50: whole amounts without decimals, all others with two. */
export function formatMoney(amount: number, currency: Currency): string {
  const decimals = Number.isInteger(amount) ? 0 : 2
  return currency === 'INR' ? `₹${formatNumber(amount, decimals, 'en-IN')}` : `$${formatNumber(amount, decimals)}`
}
