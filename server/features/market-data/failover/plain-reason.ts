// Reasons of a failed connection in plain words.
import { sourceText } from '#shared/text/en/sources.ts'

/** An unreachable host, without the network error text. */
export function plainReason(reason: string): string {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(reason) ? sourceText.unreachable : reason
}
