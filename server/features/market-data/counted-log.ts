// A log for repeated messages: the first one is written immediately, later ones once per interval with a count.
import { minuteMs } from '#shared/base/durations.ts'
import type { FeedClock, FeedLog } from './feed.ts'

export type CountedLog = ReturnType<typeof countedLog>

interface Counted {
  count: number
  details: Parameters<FeedLog>[1]
  cancel: () => void
}

export function countedLog(options: { readonly clock: FeedClock; readonly log: FeedLog; readonly intervalMs?: number }) {
  const { clock, log, intervalMs = minuteMs } = options
  const lines = new Map<string, Counted>()

  function write(line: string, one: Counted): void {
    if (one.count === 0) return
    log(line, { ...one.details, count: one.count })
    one.count = 0
  }

  function rest(line: string, one: Counted): void {
    one.cancel = clock.after(intervalMs, () => {
      if (one.count === 0) lines.delete(line)
      else {
        write(line, one)
        rest(line, one)
      }
    })
  }

  return {
    /** Logs or counts; the details are those of the latest occurrence, plus `count`. */
    log: (line: string, details?: Parameters<FeedLog>[1]): void => {
      const known = lines.get(line)
      if (known !== undefined) {
        known.count += 1
        known.details = details
        return
      }
      const one: Counted = { count: 1, details, cancel: () => undefined }
      lines.set(line, one)
      write(line, one)
      rest(line, one)
    },
    /** Flushes pending counts and ends the intervals. */
    stop: (): void => {
      for (const [line, one] of lines) {
        one.cancel()
        write(line, one)
      }
      lines.clear()
    },
  }
}
