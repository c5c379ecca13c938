// Recognizes messages of the live connection without their schemas, which every test of the server checks them against:
// the schemas and their library would be a quarter of what a page loads before the first candles.
import type { ServerMessage } from '#shared/market-data/live/contract.ts'

const kinds: Readonly<Record<ServerMessage['t'], true>> = {
  ready: true,
  account: true,
  snap: true,
  cont: true,
  upd: true,
  cond: true,
  quotes: true,
  end: true,
  beat: true,
}

/** False for anything that this release of the page does not know. */
export function isServerMessage(value: unknown): value is ServerMessage {
  return typeof value === 'object' && value !== null && 't' in value && typeof value.t === 'string' && Object.hasOwn(kinds, value.t)
}
