// The flake budget: how many tests may need a retry, and which named ones don't count until a date.

export interface FlakeException {
  /** File and title of the test as in the flake report. */
  readonly test: string
  readonly reason: string
  /** Last day of the exception, as YYYY-MM-DD. */
  readonly until: string
}

export interface FlakeBudget {
  readonly flakyMax: number
  readonly exceptions: readonly FlakeException[]
}

export interface FlakeVerdict {
  readonly counted: readonly string[]
  readonly excepted: readonly string[]
  readonly expired: readonly FlakeException[]
  readonly isExceeded: boolean
}

/** Judges the tests that passed only on a retry. `today` is YYYY-MM-DD. */
export function judgeFlakes(flaky: readonly string[], { flakyMax, exceptions }: FlakeBudget, today: string): FlakeVerdict {
  const holding = new Set(exceptions.filter(({ until }) => today <= until).map(({ test }) => test))
  const counted = flaky.filter((test) => !holding.has(test))
  return {
    counted,
    excepted: flaky.filter((test) => holding.has(test)),
    expired: exceptions.filter(({ until }) => today > until),
    isExceeded: counted.length > flakyMax,
  }
}

/** @throws Error with what is wrong; an unreadable budget must not pass as an empty one */
export function parseFlakeBudget(text: string): FlakeBudget {
  const budget = JSON.parse(text) as Partial<FlakeBudget>
  const { flakyMax, exceptions } = budget
  if (!Number.isInteger(flakyMax) || (flakyMax as number) < 0) throw new Error('flakyMax must be a whole number, 0 or more')
  if (!Array.isArray(exceptions)) throw new Error('exceptions must be a list')
  for (const { test, reason, until } of exceptions as Partial<FlakeException>[]) {
    if (!test || !reason) throw new Error('Every exception needs a test and a reason')
    if (!/^\d{4}-\d\d-\d\d$/.test(until ?? '')) throw new Error(`The exception for "${test}" needs a date, until: YYYY-MM-DD`)
  }
  return budget as FlakeBudget
}
