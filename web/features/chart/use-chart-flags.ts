// The six toggles: optimistic updates, debounced saves, rollback on failure.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { noChartFlags, type ChartFlag, type ChartFlags } from '#shared/chart/chart-flags.ts'
import { undoToastMs } from '#shared/subscriptions/undo.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { after } from '#web/lib/after.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { session } from '#web/lib/browser-storage.ts'
import { versionedSaver, type VersionedSaver } from '#web/lib/versioned-saver.ts'
import { toast } from '#web/lib/toast.ts'
import { chartSettingsQuery, chartsKey, saveChartFlags } from './api.ts'

const delayMs = 400

export interface ChartFlagsControl {
  /** Undefined until loaded. */
  readonly flags: ChartFlags | undefined
  readonly hasFailed: boolean
  readonly retry: () => void
  readonly set: (flag: ChartFlag, isOn: boolean) => void
  readonly clear: () => void
}

/** One for the page; created by the first change. */
let saver: VersionedSaver<ChartFlags> | undefined

session.onClear(() => {
  saver?.discard()
  saver = undefined
})

/** Makes no request unless enabled: free users have no toggles. */
export function useChartFlags(isEnabled = true): ChartFlagsControl {
  const { data, isError, refetch } = useQuery({ ...chartSettingsQuery, enabled: isEnabled })
  useEffect(() => {
    const flush = () => saver?.flush()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [])
  return {
    flags: isEnabled ? data : undefined,
    hasFailed: isError,
    retry: () => void refetch(),
    set: (flag, isOn) => change((flags) => ({ ...flags, [flag]: isOn })),
    clear,
  }
}

/** All off at once, with a way back. */
function clear(): void {
  const before = queryClient.getQueryData<ChartFlags>(chartSettingsQuery.queryKey)
  change(() => noChartFlags)
  if (before === undefined) return
  const undo = () => change(() => before)
  toast({ kind: 'info', text: marketText.settingsCleared, action: { label: marketText.undo, forMs: undoToastMs, run: undo } })
}

function change(update: (flags: ChartFlags) => ChartFlags): void {
  if (queryClient.getQueryData(chartSettingsQuery.queryKey) === undefined) return
  if (saver === undefined) {
    saver = createSaver()
    saver.start()
  }
  saver.change(update)
}

function createSaver(): VersionedSaver<ChartFlags> {
  const show = (flags: ChartFlags) => void queryClient.setQueryData(chartSettingsQuery.queryKey, flags)
  return versionedSaver<ChartFlags>({
    empty: noChartFlags,
    // The toggles have no version on the server: the last save wins.
    read: async () => ({ version: 0, value: await queryClient.ensureQueryData(chartSettingsQuery) }),
    write: async ({ version, value }) => {
      await saveChartFlags(value)
      // The server maps toggles to studies; the chart is redrawn when the answer differs.
      void queryClient.invalidateQueries({ queryKey: chartsKey })
      return version + 1
    },
    merge: ({ mine }) => mine,
    kindOf: () => 'final',
    keep: { get: () => undefined, set: () => undefined, remove: () => undefined },
    parse: () => noChartFlags,
    delayMs,
    after,
    onValue: show,
    rollsBack: true,
    onRejected: (error) => toast({ kind: 'danger', text: serverMessageOf(error) ?? marketText.settingsFailed }),
  })
}
