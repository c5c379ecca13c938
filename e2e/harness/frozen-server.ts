// A server with a frozen clock and prices, on its own database, and the same clock in a page.
import path from 'node:path'
import type { Page } from '@playwright/test'
import { frozenMs } from './frozen-time.ts'
import { startOwnServer, type OwnServer } from './own-server.ts'

export async function startFrozenServer(): Promise<OwnServer> {
  return { ...(await startOwnServer({}, path.join(import.meta.dirname, 'frozen-clock-server.ts'))), nowMs: frozenMs }
}

/** Freezes the page's clock at the server's time. */
export async function freezeClock(page: Page): Promise<void> {
  await page.clock.setFixedTime(frozenMs)
  await page.emulateMedia({ reducedMotion: 'reduce' })
}
