// Panels over the shell, which are not part of its first load.
import { fetchedPanel } from '#web/ui/fetched-panel.tsx'

export const lazyPanels = {
  settings: fetchedPanel(async () => (await import('#web/features/chart/chart-settings-panel.tsx')).ChartSettingsPanel),
  premium: fetchedPanel(async () => (await import('#web/features/subscriptions/premium-dialog.tsx')).PremiumDialog),
  account: fetchedPanel(async () => (await import('./account-sheet.tsx')).AccountSheet),
  search: fetchedPanel(async () => (await import('#web/features/workspace/search-dialog.tsx')).SearchDialog),
  layouts: fetchedPanel(async () => (await import('#web/features/workspace/layouts-dialog.tsx')).LayoutsDialog),
  alarm: fetchedPanel(async () => (await import('#web/features/workspace/alarm-dialog.tsx')).AlarmDialog),
  shortcuts: fetchedPanel(async () => (await import('#web/features/workspace/shortcuts-dialog.tsx')).ShortcutsDialog),
}
