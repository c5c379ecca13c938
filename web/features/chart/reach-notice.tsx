// Page-wide notice while the widget's provider is unreachable.
import { chartText } from '#shared/text/en/chart.ts'
import { forgetFailures } from './chart-failures.ts'
import { reach, useIsWidgetNeeded, useReach } from './reach.ts'

export function ReachNotice() {
  const { reach: state, hasRecovered } = useReach()
  const isNeeded = useIsWidgetNeeded()
  if (!isNeeded || (state !== 'unreachable' && state !== 'slow')) return null
  const retry = () => {
    forgetFailures()
    reach.retry()
  }
  return (
    <output
      data-testid="reach-notice"
      className="flex flex-wrap items-center gap-x-2 border-b border-line bg-surface px-3 py-1.5 text-12 text-text-2"
    >
      {hasRecovered ? chartText.reachRecovered : state === 'slow' ? chartText.reachSlow : chartText.reachLost}
      <button type="button" onClick={retry} className="rounded-control text-accent underline underline-offset-2 pointer-coarse:min-h-11">
        {hasRecovered ? chartText.showProvider : chartText.tryProvider}
      </button>
    </output>
  )
}
