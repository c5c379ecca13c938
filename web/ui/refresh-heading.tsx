// Heading of a page that is loaded again on request, with the time of its data.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { RefreshIcon } from './icon.ts'

interface RefreshHeadingProps {
  readonly title: string
  readonly intro: string
  /** Time of the data; undefined before it is there. */
  readonly at: ReactNode
  readonly refresh: string
  readonly isBusy: boolean
  readonly onRefresh: () => void
}

export function RefreshHeading({ title, intro, at, refresh, isBusy, onRefresh }: RefreshHeadingProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div>
        <h1 className="text-20 font-semibold tracking-tight">{title}</h1>
        <p className="text-12 text-text-2">{intro}</p>
      </div>
      <div className="flex items-center gap-3">
        {at !== undefined && <span className="text-12 text-text-2 tabular-nums">{at}</span>}
        <Button variant="outline" size="small" isBusy={isBusy} onClick={onRefresh}>
          {!isBusy && <RefreshIcon aria-hidden className="size-3.5" />}
          {refresh}
        </Button>
      </div>
    </div>
  )
}
