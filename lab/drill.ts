// Shared by the crash and chaos drills: timestamped output, collected problems, and targets at the end.
import { loadavg } from 'node:os'

const startMs = performance.now()

export interface DrillGoal {
  readonly text: string
  readonly figure: number
  /** Whether the figure is a maximum or a minimum. */
  readonly max?: number
  readonly min?: number
}

/** Collects what a run finds. */
export class Drill {
  readonly problems: string[] = []
  readonly figures: Record<string, string | number> = {}
  readonly goals: DrillGoal[] = []

  /** A line of progress with the time and the seconds since the start. */
  log(text: string): void {
    console.log(
      `${new Date().toISOString().slice(11, 19)} ${String(Math.round((performance.now() - startMs) / 1_000)).padStart(5)} s  ${text}`,
    )
  }

  /** Runs one round; an error becomes a problem, returns undefined, and the next round starts. */
  async round<Result>(what: string, run: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await run()
    } catch (error) {
      const text = `${what}: ${error instanceof Error ? error.message : String(error)}`
      this.problems.push(text)
      this.log(`PROBLEM ${text.split('\n')[0]}`)
      return undefined
    }
  }

  /** Prints everything; returns true without problems and with all targets met. */
  summarize(): boolean {
    console.table(this.figures)
    for (const problem of this.problems) console.log(`PROBLEM ${problem}`)
    console.log(
      `load average of 1, 5 and 15 minutes: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(', ')}`,
    )
    for (const goal of this.goals) console.log(`${isMet(goal) ? 'MET   ' : 'MISSED'} ${goal.text}: ${goal.figure} (${boundOf(goal)})`)
    return this.problems.length === 0 && this.goals.every(isMet)
  }
}

function isMet({ figure, max, min }: DrillGoal): boolean {
  return (max === undefined || figure <= max) && (min === undefined || figure >= min)
}

function boundOf({ max, min }: DrillGoal): string {
  return [min === undefined ? [] : `at least ${min}`, max === undefined ? [] : `at most ${max}`].flat().join(', ')
}

/** Rejects if the promise does not settle in time. */
export async function within<Result>(limitMs: number, what: string, promise: Promise<Result>): Promise<Result> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`${what} took longer than ${limitMs / 1_000} s`)), limitMs)
  try {
    return await Promise.race([promise, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
