// The fresh database of a server test.
import { inject } from 'vitest'
import type { Database } from '../db/database.ts'
import { freshDatabaseOn } from './test-engine.ts'

/** A migrated database nobody else uses, on the engine of this vitest project; close it in `afterAll` or `afterEach`. */
export function freshDatabase(): Promise<Database> {
  return freshDatabaseOn(inject('testServer'))
}
