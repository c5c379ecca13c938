// The six toggles for the screen: shown at once, saved a moment later, taken back where saving fails.
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { noChartFlags, type ChartFlag, type ChartFlags } from '#shared/market/chart-flags.ts'
import { marketText } from '#shared/text/en/market.ts'
import { chartSettingsQuery, chartsKey, saveChartFlags } from './api.ts'
import { createSettingsSaver, type SettingsSaver } from './settings-saver.ts'

const saveDelayMs = 400

export interface ChartFlagsControl {
  /** Undefined until they are loaded. */
  readonly flags: ChartFlags | undefined
  readonly hasFailed: boolean
  readonly retry: () => void
  readonly set: (flag: ChartFlag, isOn: boolean) => void
  readonly clear: () => void
}

/** Asks for nothing unless enabled: without premium there are no toggles. */
export function useChartFlags(isEnabled = true): ChartFlagsControl {
  const cache = useQueryClient()
  const { data, isError, refetch } = useQuery({ ...chartSettingsQuery, enabled: isEnabled })
  const { mutateAsync } = useMutation({ mutationFn: saveChartFlags, meta: { failureText: marketText.settingsFailed } })
  const [saver] = useState(() => createSaver(cache, mutateAsync))
  useEffect(() => {
    const flush = () => saver.flush()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [saver])

  const change = (next: (flags: ChartFlags) => ChartFlags) => {
    const before = cache.getQueryData(chartSettingsQuery.queryKey)
    if (before === undefined) return
    const after = next(before)
    cache.setQueryData(chartSettingsQuery.queryKey, after)
    saver.change(after, before)
  }
  return {
    flags: isEnabled ? data : undefined,
    hasFailed: isError,
    retry: () => void refetch(),
    set: (flag, isOn) => change((flags) => ({ ...flags, [flag]: isOn })),
    clear: () => change(() => noChartFlags),
  }
}

function createSaver(cache: QueryClient, save: (flags: ChartFlags) => Promise<ChartFlags>): SettingsSaver {
  const show = (flags: ChartFlags) => void cache.setQueryData(chartSettingsQuery.queryKey, flags)
  return createSettingsSaver({
    save,
    delayMs: saveDelayMs,
    onSaved: (flags) => {
      show(flags)
      // The server tells which studies the toggles stand for; the chart is drawn anew when the answer differs.
      void cache.invalidateQueries({ queryKey: chartsKey })
    },
    onFailed: show,
  })
}
