// What the global setup started for all browser tests; workers read it from their inherited environment.

/** A server whose pages are opened by tests. */
export interface ServerUnderTest {
  /** For example http://127.0.0.1:40123. */
  readonly origin: string
  /** Its database, for creating states that no screen leads to. */
  readonly databaseUrl: string
  /** The time of a server with a frozen clock. */
  readonly nowMs?: number
}

export interface World extends ServerUnderTest {
  /** A migrated template database without connections. */
  readonly template: string
}

const variable = 'E2E_WORLD'

export function shareWorld(world: World): void {
  process.env[variable] = JSON.stringify(world)
}

/** @throws Error outside a run of Playwright */
export function world(): World {
  const text = process.env[variable]
  if (text === undefined) throw new Error('The global setup has not run')
  return JSON.parse(text) as World
}
