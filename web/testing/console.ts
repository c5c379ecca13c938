// What is logged as an error during a test; the test fails unless it takes the entries.
import { format } from 'node:util'
import { vi } from 'vitest'

let logged: string[] = []

/** Records console.error from now on. */
export function watchConsole(): void {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => void logged.push(format(...parts)))
}

/** Takes what was logged so far; a test that causes an entry on purpose reads it here. */
export function takeLoggedErrors(): readonly string[] {
  const taken = logged
  logged = []
  return taken
}
