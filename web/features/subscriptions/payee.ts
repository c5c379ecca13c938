// Payee for a buyer: for display and copying, and as a link that opens a payment app with the exact amount.
import { readPayee } from '#web/lib/payee.ts'

interface PaymentPayee {
  readonly address: string
  readonly name: string | undefined
  /** Opens a payment app with this payee and amount; for UPI only. */
  readonly upiLink: string | undefined
}

/** Parses a plan's QR code; the amount is in rupees, for example '499.00'. Undefined where there is no payee. */
export function payeeFor(code: string | null, amount: string): PaymentPayee | undefined {
  if (code === null || code.trim() === '') return undefined
  const { address, name } = readPayee(code.trim())
  return { address, name, upiLink: upiLinkOf(code.trim(), amount) }
}

function upiLinkOf(code: string, amount: string): string | undefined {
  if (!/^upi:\/\/pay\?/i.test(code)) return undefined
  const params = new URLSearchParams(code.slice(code.indexOf('?') + 1))
  if ((params.get('pa') ?? '') === '') return undefined
  // Never change a signed link: its signature would become invalid.
  if (params.has('sign')) return code
  params.set('am', amount)
  params.set('cu', 'INR')
  // UPI apps expect %20 for a space, not a plus sign, and a plain @.
  return `upi://pay?${params.toString().replaceAll('+', '%20').replaceAll('%40', '@')}`
}
