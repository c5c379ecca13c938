// Panels over the shell; each is preloaded when the browser is idle after the chart has loaded.
import { useEffect } from 'react'
import { fetchedPanel } from './lazy-panel.tsx'

const quietMs = 2000

const settings = fetchedPanel(async () => (await import('#web/features/chart/chart-settings-panel.tsx')).ChartSettingsPanel)
const premium = fetchedPanel(async () => (await import('#web/features/subscriptions/premium-dialog.tsx')).PremiumDialog)
const search = fetchedPanel(async () => (await import('#web/features/workspace/search-dialog.tsx')).SearchDialog)
const layouts = fetchedPanel(async () => (await import('#web/features/workspace/layouts-dialog.tsx')).LayoutsDialog)
const alarm = fetchedPanel(async () => (await import('#web/features/workspace/alarm-dialog.tsx')).AlarmDialog)
const account = fetchedPanel(async () => (await import('./account-sheet.tsx')).AccountSheet)

export const ChartSettingsPanel = settings.Panel
export const PremiumDialog = premium.Panel
export const AccountSheet = account.Panel
export const SearchDialog = search.Panel
export const LayoutsDialog = layouts.Panel
export const AlarmDialog = alarm.Panel
export const preparePremium = premium.prepare

/** Preloads the panels, so that they open at once and also offline. */
export function usePanelsSoon(): void {
  useEffect(() => {
    const timer = setTimeout(() => [settings, premium, account, search, layouts, alarm].forEach((panel) => panel.prepare()), quietMs)
    return () => clearTimeout(timer)
  }, [])
}
