// What the global setup started for all browser tests; the workers read it from the environment that they inherit.

/** A server that tests open pages of. */
export interface ServerUnderTest {
  /** Such as http://127.0.0.1:40123. */
  readonly origin: string
  /** Its database, for making states that no screen leads to. */
  readonly databaseUrl: string
  /** The time of a server whose clock is frozen. */
  readonly nowMs?: number
}

export interface World extends ServerUnderTest {
  /** A migrated database without connections, to make others from. */
  readonly template: string
}

const variable = 'E2E_WORLD'

export function shareWorld(world: World): void {
  process.env[variable] = JSON.stringify(world)
}

/** @throws Error outside a run of Playwright. */
export function world(): World {
  const text = process.env[variable]
  if (text === undefined) throw new Error('The global setup has not run')
  return JSON.parse(text) as World
}
