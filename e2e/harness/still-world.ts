// A server whose clock and prices stand still, on a database of its own: sessions of a standing clock are old ones to any other server.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { startServer } from './server-process.ts'
import { sql } from './sql.ts'
import { standingMs } from './standing-clock.ts'

export interface StillWorld {
  readonly origin: string
  readonly databaseUrl: string
  stop(): Promise<void>
}

export async function startStillWorld(): Promise<StillWorld> {
  const database = `tezi_still_${randomUUID().slice(0, 8)}`
  await sql(`create database ${database}`)
  const databaseUrl = inject('world').databaseUrl.replace(/[^/]+$/, database)
  const server = await startServer({ DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' }, path.join(import.meta.dirname, 'still-server.ts'))
  return {
    origin: server.origin,
    databaseUrl,
    async stop() {
      await server.stop()
      await sql(`drop database if exists ${database} with (force)`)
    },
  }
}

/** The page's clock stands with that of the server. */
export async function standStill(page: Page): Promise<void> {
  await page.clock.setFixedTime(standingMs)
  await page.emulateMedia({ reducedMotion: 'reduce' })
}
