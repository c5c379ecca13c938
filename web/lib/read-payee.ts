// Parses the payee from a QR code's text.
import { readDecimal } from '#shared/base/read-decimal.ts'

export interface Payee {
  /** The VPA, the wallet address, or the text itself. */
  readonly address: string
  readonly name: string | undefined
  /** Amount in the code, in its own currency. */
  readonly amount: number | undefined
}

/** Parses upi://pay links and wallet links such as tron:T...?amount=5; any other text is the address. */
export function readPayee(code: string): Payee {
  const link = URL.canParse(code) ? new URL(code) : undefined
  if (link === undefined) return { address: code, name: undefined, amount: undefined }
  const word = (name: string) => link.searchParams.get(name) ?? undefined
  if (link.protocol === 'upi:') return { address: word('pa') ?? code, name: word('pn'), amount: amountOf(word('am')) }
  if (/^https?:$/.test(link.protocol)) return { address: code, name: undefined, amount: undefined }
  const address = link.pathname.replace(/^\/+/, '')
  // A token transfer has the contract there, not the payee: only a plain address is extracted.
  return { address: /^[a-z0-9]+$/i.test(address) ? address : code, name: word('label'), amount: amountOf(word('amount')) }
}

function amountOf(word: string | undefined): number | undefined {
  const amount = readDecimal(word ?? '')
  return Number.isFinite(amount) ? amount : undefined
}
