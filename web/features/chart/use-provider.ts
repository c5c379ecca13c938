// What a chart of the page tells the provider's reachability, and the failures, about itself.
import { useEffect } from 'react'
import { liveText } from '#shared/market-data/text/en.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { MarketStatus } from '#web/features/market-data/market-status.ts'
import { notePrices } from './chart-failures.ts'
import { useIsListed } from './chart-listings.ts'
import { noteOpened, reach, useNeedsWidget, useReach, useStartReach } from './reach.ts'
import { useEnginePreference } from './use-engine.ts'

export interface ProviderUse {
  readonly slug: string
  readonly timeframe: Timeframe
  /** The provider would show this chart if it could be reached. */
  readonly isPreferred: boolean
  /** The Tezi chart shows it meanwhile. */
  readonly isReplaced: boolean
}

/** Tries the provider as soon as this chart would use it. */
export function useProvider({ slug, timeframe, isPreferred, isReplaced }: ProviderUse): void {
  const wantsWidget = useIsListed(slug) && isPreferred
  const isAutomatic = useEnginePreference() === 'automatic'
  useStartReach(wantsWidget)
  useNeedsWidget(wantsWidget && isAutomatic && isReplaced)
  const { hasRecovered } = useReach()
  useEffect(() => {
    // There is no chart under the reader's eyes that would be exchanged.
    if (hasRecovered && wantsWidget && isAutomatic && !isReplaced) reach.adopt()
  }, [hasRecovered, wantsWidget, isAutomatic, isReplaced])
  useEffect(() => noteOpened(`${slug} ${timeframe}`), [slug, timeframe])
}

/** Remembers whether the instrument's source has prices; undecided while it starts. */
export function useNotePrices(slug: string, market: MarketStatus | undefined): void {
  const condition = market?.condition
  const hasPrices = condition === undefined || condition.reason === liveText.starting ? undefined : condition.label !== null
  useEffect(() => {
    if (hasPrices !== undefined) notePrices(slug, hasPrices)
  }, [slug, hasPrices])
}
