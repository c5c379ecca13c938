// Heading of a page that is loaded again on request, with the time of its data.
import type { UseQueryResult } from '@tanstack/react-query'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from './button.tsx'
import { RefreshIcon } from './icon.ts'

interface RefreshHeadingProps {
  readonly title: string
  readonly texts: { readonly intro: string; readonly refresh: string; readonly at: (time: string) => string }
  readonly query: UseQueryResult<{ readonly nowMs: number }>
}

export function RefreshHeading({ title, texts, query: { data, isFetching, refetch } }: RefreshHeadingProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div>
        <h1 className="text-20 font-semibold tracking-tight">{title}</h1>
        <p className="text-12 text-text-2">{texts.intro}</p>
      </div>
      <div className="flex items-center gap-3">
        {data !== undefined && (
          <span className="text-12 text-text-2 tabular-nums">{texts.at(indiaDateTime(new Date(data.nowMs).toISOString()))}</span>
        )}
        <Button
          variant="outline"
          size="small"
          isBusy={isFetching}
          icon={<RefreshIcon aria-hidden className="size-3.5" />}
          onClick={() => void refetch()}
        >
          {texts.refresh}
        </Button>
      </div>
    </div>
  )
}
