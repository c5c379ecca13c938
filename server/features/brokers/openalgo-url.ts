// Normalises the URL of an OpenAlgo instance entered by a user.
import type { OutboundGuard } from '#server/outbound/outbound-guard.ts'

/** Base URL without a trailing slash; undefined if calls to it are not allowed. */
export function readOpenAlgoUrl(text: string, guard: OutboundGuard): string | undefined {
  const given = text.trim()
  if (!URL.canParse(given)) return undefined
  const url = new URL(given)
  if (url.search !== '' || url.hash !== '' || !/^https?:$/.test(url.protocol)) return undefined
  try {
    guard.check(url)
  } catch {
    return undefined
  }
  return url.href.replace(/\/+$/, '')
}
