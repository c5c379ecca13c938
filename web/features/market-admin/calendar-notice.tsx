// Warns admins when an exchange calendar runs out soon; renders nothing otherwise.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { Button } from '#web/ui/button.tsx'
import { browserStorage } from '#web/lib/browser-storage.ts'
import { WarningIcon } from '#web/ui/icon.ts'
import { calendarWarnings } from './calendar-warnings.ts'
import { marketQuery } from './market-query.ts'

/** Calendars change about once a year, so an hour of caching is fine. */
const freshMs = hourMs

/** The warnings of the last visit keep their space while the present ones load, so that the list below does not jump. */
const warningsKey = 'calendarWarnings'
const closedKey = 'calendarNoticeClosedUntil'
const pageOpenedMs = Date.now()

function lastWarnings(): readonly string[] {
  const stored = parseJson(browserStorage.get(warningsKey) ?? '')
  return Array.isArray(stored) ? stored.filter((sentence) => typeof sentence === 'string') : []
}

/** `children` follow the sentences, for example a link to the calendars. Errors are ignored: the page reports its own. */
export function CalendarNotice({ children }: { readonly children?: ReactNode }) {
  const { data, isPending } = useQuery({ ...marketQuery, staleTime: freshMs, select: ({ calendars }) => calendarWarnings(calendars) })
  useEffect(() => {
    if (data !== undefined) browserStorage.set(warningsKey, JSON.stringify(data))
  }, [data])
  const [closedUntilMs, setClosedUntilMs] = useState(() => Number(browserStorage.get(closedKey) ?? 0))
  const sentences = data ?? (isPending ? lastWarnings() : [])
  const close = () => {
    const untilMs = Date.now() + 7 * dayMs
    browserStorage.set(closedKey, String(untilMs))
    setClosedUntilMs(untilMs)
  }
  if (sentences.length === 0 || closedUntilMs > pageOpenedMs) return null
  return (
    <output className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border border-warn/40 bg-surface px-4 py-2 text-13">
      <WarningIcon aria-hidden className="size-4 shrink-0 text-warn" strokeWidth={1.5} />
      <span className="min-w-0 flex-1 basis-60">
        {sentences.map((sentence) => (
          <span key={sentence} className="block">
            {sentence}
          </span>
        ))}
      </span>
      {children}
      <Button variant="quiet" size="small" onClick={close}>
        {adminMarketText.closeForWeek}
      </Button>
    </output>
  )
}
