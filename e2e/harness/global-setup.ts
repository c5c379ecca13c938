// Starts what all browser tests share: a database, the real server over the built page, and one browser.
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { startTestEngine } from '../../server/testing/test-engine.ts'
import { browserFlags } from '../../scripts/browser-flags.ts'
import { findChromium } from '../../scripts/ensure-chromium.ts'
import { startServer } from './server-process.ts'

export interface World {
  /** Origin of the server, such as http://127.0.0.1:40123. */
  readonly origin: string
  /** Where tests connect to the one browser. */
  readonly browserEndpoint: string
  /** Address of the server's database, for making users in states that no screen leads to yet. */
  readonly databaseUrl: string
  /** Whether pictures that differ are the new accepted ones: `vitest --update`. */
  readonly mustAccept: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    world: World
  }
}

/** Stops everything in the reverse order, also when a start fails halfway. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using opened = new AsyncDisposableStack()
  const engine = await startTestEngine()
  opened.defer(() => engine.stop())
  const { user, host, port, database } = engine.connection
  const databaseUrl = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
  const server = await startServer({ DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' })
  opened.defer(() => server.stop())
  const browser = await chromium.launchServer({ executablePath: findChromium() ?? 'chromium', headless: true, args: browserFlags })
  opened.defer(() => browser.close())

  const mustAccept = project.config.snapshotOptions.updateSnapshot === 'all'
  project.provide('world', { origin: server.origin, browserEndpoint: browser.wsEndpoint(), databaseUrl, mustAccept })
  const kept = opened.move()
  return () => kept.disposeAsync()
}
