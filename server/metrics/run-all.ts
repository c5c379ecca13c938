// The parts of a job.
import { OutageError } from '#server/outages/outage.ts'

/** Runs them in order, also those after one with an error, but not in an outage. @throws the only error, or an AggregateError of all */
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
