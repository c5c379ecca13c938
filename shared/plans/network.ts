// Networks of the crypto plan: where buyers send USDT, and the form of their addresses.

export const networks = ['trc20', 'bep20', 'erc20', 'polygon', 'binance-pay'] as const
export type Network = (typeof networks)[number]

export const networkNames = {
  trc20: 'TRC-20 (Tron)',
  bep20: 'BEP-20 (BNB Smart Chain)',
  erc20: 'ERC-20 (Ethereum)',
  polygon: 'Polygon',
  'binance-pay': 'Binance Pay',
} as const satisfies Record<Network, string>

const tron = /T[1-9A-HJ-NP-Za-km-z]{33}/
const evm = /0x[0-9a-f]{40}/i
const payId = /\d{6,12}/
const patterns: Readonly<Record<Network, RegExp>> = { trc20: tron, bep20: evm, erc20: evm, polygon: evm, 'binance-pay': payId }

/** True if a trimmed address has the form of its network. */
export function isAddressOf(network: Network, address: string): boolean {
  return new RegExp(`^(?:${patterns[network].source})$`, patterns[network].flags).test(address)
}

/** True if a QR code pays wallet addresses, and this one is not among them. A code of a token transfer holds its contract as well. */
export function paysAnother(code: string | null, address: string): boolean {
  const found = [tron, evm].flatMap(
    (pattern) => code?.match(new RegExp(`(?<![0-9A-Za-z])(?:${pattern.source})(?![0-9A-Za-z])`, `g${pattern.flags}`)) ?? [],
  )
  // The letters of an Ethereum address may be of either case.
  const comparable = (one: string) => (evm.test(one) ? one.toLowerCase() : one)
  return found.length > 0 && !found.some((one) => comparable(one) === comparable(address))
}
