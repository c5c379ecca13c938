// The panels that open over the shell; each is fetched in a quiet moment after the chart, not before it.
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'

const load = {
  settings: () => import('#web/features/market/chart-settings-panel.tsx'),
  premium: () => import('#web/features/market/premium-dialog.tsx'),
  account: () => import('./account-sheet.tsx'),
}

const quietMs = 2000

interface Panel {
  readonly isOpen: boolean
}

export const ChartSettingsPanel = onceOpened(lazy(async () => ({ default: (await load.settings()).ChartSettingsPanel })))
export const PremiumDialog = onceOpened(lazy(async () => ({ default: (await load.premium()).PremiumDialog })))
export const AccountSheet = onceOpened(lazy(async () => ({ default: (await load.account()).AccountSheet })))

/** Fetches the subscription dialog. */
export function preparePremium(): void {
  load.premium().catch(() => undefined)
}

/** Fetches the panels beforehand, so that they open at once and also when the connection has gone. */
export function usePanelsSoon(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const fetchChunk of Object.values(load)) fetchChunk().catch(() => undefined)
    }, quietMs)
    return () => clearTimeout(timer)
  }, [])
}

/** Nothing until the first opening; afterwards always there, so that closing can be animated. */
function onceOpened<Props extends Panel>(Inner: ComponentType<Props>) {
  return function OnceOpened(props: Props) {
    const [wasOpened, setWasOpened] = useState(false)
    if (props.isOpen && !wasOpened) setWasOpened(true)
    return wasOpened || props.isOpen ? (
      <Suspense fallback={null}>
        <Inner {...props} />
      </Suspense>
    ) : null
  }
}
