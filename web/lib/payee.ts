// Whom a QR code pays, read out of what it says.
import { readDecimal } from '#shared/base/decimal.ts'

export interface Payee {
  /** The VPA, the wallet address, or the text itself. */
  readonly address: string
  readonly name: string | undefined
  /** Amount that the code asks for, in its own currency. */
  readonly amount: number | undefined
}

/** Understands upi://pay links and wallet links such as tron:T...?amount=5; anything else is an address as a whole. */
export function readPayee(code: string): Payee {
  const link = URL.canParse(code) ? new URL(code) : undefined
  if (link === undefined) return { address: code, name: undefined, amount: undefined }
  const word = (name: string) => link.searchParams.get(name) ?? undefined
  if (link.protocol === 'upi:') return { address: word('pa') ?? code, name: word('pn'), amount: amountOf(word('am')) }
  if (/^https?:$/.test(link.protocol)) return { address: code, name: undefined, amount: undefined }
  const address = link.pathname.replace(/^\/+/, '')
  // A token transfer names the contract there, not who is paid: only a bare address is taken out.
  return { address: /^[a-z0-9]+$/i.test(address) ? address : code, name: word('label'), amount: amountOf(word('amount')) }
}

function amountOf(word: string | undefined): number | undefined {
  const amount = readDecimal(word ?? '')
  return Number.isFinite(amount) ? amount : undefined
}
