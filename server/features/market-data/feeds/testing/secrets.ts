// Asserts that logs, reasons and errors contain no keys.
import { inspect } from 'node:util'
import { expect } from 'vitest'

/** Fails if one of the secrets, plain or URL-encoded, is in the output. */
export function expectNoSecret(output: readonly unknown[], secrets: readonly string[]): void {
  const text = inspect(output, { depth: 12, maxStringLength: null, maxArrayLength: null })
  for (const secret of secrets) expect(text).not.toContain(secret)
  for (const secret of secrets) expect(text).not.toContain(encodeURIComponent(secret))
}
