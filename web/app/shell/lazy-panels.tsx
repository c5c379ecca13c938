// Panels over the shell, which are not part of its first load.
import { fetchedPanel } from '#web/ui/fetched-panel.tsx'

const settings = fetchedPanel(async () => (await import('#web/features/chart/chart-settings-panel.tsx')).ChartSettingsPanel)
const premium = fetchedPanel(async () => (await import('#web/features/subscriptions/premium-dialog.tsx')).PremiumDialog)
const search = fetchedPanel(async () => (await import('#web/features/workspace/search-dialog.tsx')).SearchDialog)
const layouts = fetchedPanel(async () => (await import('#web/features/workspace/layouts-dialog.tsx')).LayoutsDialog)
const alarm = fetchedPanel(async () => (await import('#web/features/workspace/alarm-dialog.tsx')).AlarmDialog)
const shortcuts = fetchedPanel(async () => (await import('#web/features/workspace/shortcuts-dialog.tsx')).ShortcutsDialog)
const account = fetchedPanel(async () => (await import('./account-sheet.tsx')).AccountSheet)

export const ChartSettingsPanel = settings.Panel
export const PremiumDialog = premium.Panel
export const AccountSheet = account.Panel
export const SearchDialog = search.Panel
export const LayoutsDialog = layouts.Panel
export const AlarmDialog = alarm.Panel
export const ShortcutsDialog = shortcuts.Panel
export const preparePremium = premium.prepare

/** Preloaded after the start. */
export const shellPanels = [settings, premium, account, search, layouts, alarm, shortcuts]
