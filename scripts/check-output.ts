// What is worth showing of a step's output: progress while it runs, counts when it passes, the failures first when it does not.
import { stripVTControlCharacters } from 'node:util'

/** How many test files (Vitest) or tests (Playwright) finished in a piece of output. */
export function finishedIn(output: string): number {
  return stripVTControlCharacters(output).match(/[✓✘×] /g)?.length ?? 0
}

/** The lines that say what a step found: counts of tests, retries, a table of sizes. */
export function summaryOf(script: string, output: string): string {
  const isWanted = script === 'size' ? () => true : (line: string) => /^\s*(Tests |\d+ passed)|retries used/.test(line)
  const lines = output.split('\n').filter((line) => line.trim() !== '' && isWanted(line))
  return lines.map((line) => `\n        ${line.trim()}`).join('')
}

/**
 * What a reader of a failed step needs first: for test runs the names of what failed, then the errors, without the lines
 * about what passed; a long log is often kept by its beginning only.
 */
export function failureOf(output: string): string {
  const start = output.search(/^.*(Failed (Suites|Tests) \d|Unhandled Error|^ +1\) )/m)
  if (start === -1) return output
  const failures = output.slice(start)
  const names = failures.split('\n').filter((line) => /^\s*FAIL\s|^ +\d+\) /.test(line))
  return `${[...new Set(names)].join('\n')}\n\n${failures}`
}
