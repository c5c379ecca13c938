// The address of an OpenAlgo instance as a user writes it.
import type { OutboundGuard } from '#server/outbound/outbound-guard.ts'

/** The base address without a slash at its end; undefined for one that may not be called. */
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
