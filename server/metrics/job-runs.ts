// Runs of the jobs of this process, and their outcomes.
import { OutageError } from '#server/outages/outage-error.ts'

export const jobNames = ['sweep', 'expire-subscriptions', 'archive-wal', 'backup', 'save-erasures'] as const
export type JobName = (typeof jobNames)[number]

export interface JobRun {
  readonly job: JobName
  readonly success: number
  readonly skipped: number
  readonly failed: number
  /** Epoch milliseconds; undefined before the first success. */
  readonly lastSuccessMs: number | undefined
}

export type JobRuns = ReturnType<typeof jobRuns>

/** Counts runs of jobs. */
export function jobRuns({ now }: { readonly now: () => number }) {
  const runs = new Map<JobName, JobRun>()
  return {
    /** Wraps a job with counters. A job that resolves to false was skipped; errors are passed on. */
    track(job: JobName, run: () => Promise<unknown>): () => Promise<void> {
      const unused: JobRun = { job, success: 0, skipped: 0, failed: 0, lastSuccessMs: undefined }
      const count = (result: 'success' | 'skipped' | 'failed', change: Partial<JobRun> = {}): void => {
        const known = runs.get(job) ?? unused
        runs.set(job, { ...known, [result]: known[result] + 1, ...change })
      }
      runs.set(job, unused)
      return async () => {
        try {
          if ((await run()) === false) count('skipped')
          else count('success', { lastSuccessMs: now() })
        } catch (error) {
          count('failed')
          throw error
        }
      }
    },
    list: (): readonly JobRun[] => [...runs.values()],
  }
}

/** Runs the parts of a job in order, also those after one with an error, but not in an outage. @throws the only error, or an AggregateError of all */
export async function runAll(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const part of parts) {
    try {
      await part()
    } catch (error) {
      if (error instanceof OutageError) throw error
      errors.push(error)
    }
  }
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} of ${parts.length} parts failed`)
}
