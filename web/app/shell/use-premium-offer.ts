// Premium offer: one second of loading, then the subscription dialog.
import { useEffect, useState } from 'react'

const overlayMs = 1000

export interface PremiumOffer {
  readonly stage: 'closed' | 'loading' | 'open'
  readonly open: () => void
  readonly close: () => void
}

/** Calls `prepare` when the loading starts. */
export function usePremiumOffer(prepare: () => void): PremiumOffer {
  const [stage, setStage] = useState<PremiumOffer['stage']>('closed')
  useEffect(() => {
    if (stage !== 'loading') return undefined
    prepare()
    const timer = setTimeout(() => setStage('open'), overlayMs)
    return () => clearTimeout(timer)
  }, [stage, prepare])
  const [actions] = useState(() => ({ open: () => setStage('loading'), close: () => setStage('closed') }))
  return { stage, ...actions }
}
