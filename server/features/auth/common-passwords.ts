// Block list of common passwords, extended by our own product words.
import { dictionary } from '@zxcvbn-ts/language-common'

const common = new Set<string>(dictionary['passwords-common'].map((word) => word.toLowerCase()))
const ownWords = ['tezi', 'trading', 'trader', 'nifty', 'banknifty', 'sensex', 'premium', 'tradingview']

/** True for listed passwords, our own words with a number appended, and the account's own email or name. */
export function isCommonPassword(password: string, account: { email: string; name: string }): boolean {
  const lower = password.toLowerCase()
  const stem = lower.replace(/[\d!@#$%^&*._-]{0,8}$/, '')
  if (common.has(lower) || ownWords.includes(stem)) return true
  const [mailbox = ''] = account.email.split('@')
  return lower === account.email || lower === mailbox || lower === account.name.trim().toLowerCase()
}
