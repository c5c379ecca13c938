// What is logged as an error or reported as uncaught during a test; the test fails unless it takes the entries.
import { format } from 'node:util'
import { vi } from 'vitest'

let logged: string[] = []

/** Records console.error and error events of the window from now on. */
export function watchConsole(): void {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => void logged.push(format(...parts)))
  window.addEventListener('error', recordUncaught)
}

/** Takes what was logged so far; a test that causes an entry on purpose reads it here. */
export function takeLoggedErrors(): readonly string[] {
  const taken = logged
  logged = []
  return taken
}

function recordUncaught({ error }: ErrorEvent): void {
  logged.push(format('Uncaught', error))
}
