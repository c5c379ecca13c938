// Adjuster of the displayed prices, and the sentence that describes the adjustment.
import { useMemo, useState } from 'react'
import { dayMs } from '#shared/base/durations.ts'
import { adjusterOf, effectiveAdjustment, type PriceAdjuster } from '#shared/candles/price-adjuster.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { pageClock } from '#web/lib/page-clock.ts'

export interface ShownAdjustment {
  /** Undefined where no corporate action applies, for example with generated prices. */
  readonly adjuster: PriceAdjuster | undefined
  /** Empty without an adjuster. */
  readonly adjusted: string
  /** False until the type of prices is known. */
  readonly isKnown: boolean
}

export function useAdjuster(series: string, adjustment: Adjustment, condition: LiveCondition | undefined): ShownAdjustment {
  const sessionClass = condition?.label?.mode === 'demo' ? undefined : condition?.sessionClass
  const day = Math.floor(pageClock.nowMs() / dayMs)
  const isKnown = adjustment === 'none' || condition !== undefined
  const shown = useMemo(() => {
    const nowMs = day * dayMs
    const adjuster = sessionClass === undefined ? undefined : adjusterOf({ series, adjustment, sessionClass, nowMs })
    const adjusted = adjuster === undefined ? '' : chartText.adjusted[effectiveAdjustment(series, adjustment, nowMs)]
    return { adjuster, adjusted, isKnown }
  }, [series, adjustment, sessionClass, day, isKnown])
  return useLastKnown(shown, `${series} ${adjustment}`)
}

/** Between two timeframes the prices stay those of the same source: drawings need not end. */
function useLastKnown(shown: ShownAdjustment, key: string): ShownAdjustment {
  const [last, setLast] = useState({ shown, key })
  if (last.shown !== shown && (shown.isKnown || last.key !== key)) setLast({ shown, key })
  return shown.isKnown || last.key !== key ? shown : last.shown
}
