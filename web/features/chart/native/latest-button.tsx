// Appears as soon as the newest bar is out of view, and scrolls to it.
import { useSyncExternalStore } from 'react'
import { chartText } from '#shared/chart/text/en.ts'
import { ChevronsRightIcon } from '#web/ui/icon.ts'
import type { NativeChart } from './chart-port.ts'

export function LatestButton({ chart }: { readonly chart: Pick<NativeChart, 'frame' | 'onFrame' | 'toLatest'> }) {
  const { isNewestSeen } = useSyncExternalStore(chart.onFrame, chart.frame)
  if (isNewestSeen) return null
  return (
    <button
      type="button"
      title={chartText.latestNote}
      onClick={() => chart.toLatest()}
      className="absolute right-20 bottom-9 z-10 flex h-7 items-center gap-1 rounded-control border border-line-strong bg-raised pr-1.5 pl-2.5 text-12 font-medium text-text hover:bg-hover pointer-coarse:h-11"
    >
      {chartText.latest}
      <ChevronsRightIcon aria-hidden className="size-4" strokeWidth={1.5} />
    </button>
  )
}
