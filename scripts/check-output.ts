// Extracts the relevant output of a step: progress while it runs, counts when it passes, failures first otherwise.
import { stripVTControlCharacters } from 'node:util'

/** Number of finished test files (Vitest) or tests (Playwright) in a piece of output. */
export function finishedIn(output: string): number {
  return stripVTControlCharacters(output).match(/[✓✘×] /g)?.length ?? 0
}

/** The result lines of a step: counts of tests, retries, a table of sizes. */
export function summaryOf(script: string, output: string): string {
  const isWanted = script === 'size' ? () => true : (line: string) => /^\s*(Tests |\d+ passed)|retries used/.test(line)
  const lines = output.split('\n').filter((line) => line.trim() !== '' && isWanted(line))
  return lines.map((line) => `\n        ${line.trim()}`).join('')
}

/**
 * Failures first: for test runs the names of failed tests, then the errors, without the lines
 * about passed tests; long logs are often truncated at their end.
 */
export function failureOf(output: string): string {
  const start = output.search(/^.*(Failed (Suites|Tests) \d|Unhandled Error|^ +1\) )/m)
  if (start === -1) return output
  const failures = output.slice(start)
  const names = failures.split('\n').filter((line) => /^\s*FAIL\s|^ +\d+\) /.test(line))
  return `${[...new Set(names)].join('\n')}\n\n${failures}`
}
