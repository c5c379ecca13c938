// Page-wide notice while Tezi charts stand in for the widget's provider. A chart without any prices has a card of its own instead.
import { useState } from 'react'
import { chartText } from '#shared/chart/text/en.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { tabStorage } from '#web/lib/browser-storage.ts'
import { CloseIcon } from '#web/ui/icon.ts'
import { forgetFailures } from './chart-failures.ts'
import { reach, useIsWidgetNeeded, useReach } from './reach.ts'

const closedKey = 'widget.noticeClosed'
const action = 'shrink-0 rounded-control text-accent underline underline-offset-2 pointer-coarse:min-h-11'

export function ReachNotice() {
  const { reach: state, hasRecovered } = useReach()
  const isNeeded = useIsWidgetNeeded()
  /** For the rest of the session; the news that the provider is back is another one. */
  const [closed, setClosed] = useState(() => tabStorage.get(closedKey))
  const news = hasRecovered ? 'recovered' : 'lost'
  if (!isNeeded || closed === news || (state !== 'unreachable' && state !== 'slow')) return null
  const retry = () => {
    forgetFailures()
    reach.retry()
  }
  const close = () => {
    tabStorage.set(closedKey, news)
    setClosed(news)
  }
  return (
    <output
      data-testid="reach-notice"
      className="flex items-center gap-x-3 border-b border-line bg-surface pl-3 text-12 text-text-2 max-sm:border-t max-sm:border-b-0"
    >
      <span className="min-w-0 py-1 text-pretty">
        {hasRecovered ? chartText.reachRecovered : state === 'slow' ? chartText.reachSlow : chartText.reachLost}
      </span>
      <button type="button" onClick={retry} className={action}>
        {hasRecovered ? chartText.showProvider : marketText.retry}
      </button>
      <button
        type="button"
        onClick={close}
        aria-label={marketText.close}
        className="ml-auto grid size-7 shrink-0 place-items-center rounded-control hover:text-text pointer-coarse:size-11"
      >
        <CloseIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
      </button>
    </output>
  )
}
