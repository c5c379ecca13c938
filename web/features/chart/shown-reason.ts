// What a chart says about missing prices.
import { liveText } from '#shared/market-data/text/en.ts'

/** Errors of price sources are for admins; to everyone else they explain nothing. */
export function shownReason(reason: string | null, isAdmin: boolean): string | undefined {
  return isAdmin || reason === liveText.starting ? (reason ?? undefined) : undefined
}
