// Looks for keys where none may be: in notes, in reasons, and in errors with all that hangs on them.
import { inspect } from 'node:util'
import { expect } from 'vitest'

/** Fails where one of the secrets, or a part of it in an address, stands in what was told. */
export function expectNoSecret(told: readonly unknown[], secrets: readonly string[]): void {
  const text = inspect(told, { depth: 12, maxStringLength: null, maxArrayLength: null })
  for (const secret of secrets) expect(text).not.toContain(secret)
  for (const secret of secrets) expect(text).not.toContain(encodeURIComponent(secret))
}
