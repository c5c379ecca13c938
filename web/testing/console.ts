// Records logged and uncaught errors during a test; the test fails unless it takes them.
import { format } from 'node:util'
import { vi } from 'vitest'

let logged: string[] = []

/** Records console.error and error events of the window from now on. */
export function watchConsole(): void {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => void logged.push(format(...parts)))
  window.addEventListener('error', recordUncaught)
}

/** Returns and clears the entries; a test that causes one on purpose reads it here. */
export function takeLoggedErrors(): readonly string[] {
  const taken = logged
  logged = []
  return taken
}

function recordUncaught({ error }: ErrorEvent): void {
  logged.push(format('Uncaught', error))
}
