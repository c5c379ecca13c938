// The real server for browser tests, in a data folder of its own that is removed at the end.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer as startOn } from '#server/testing/process.ts'

export interface ServerProcess {
  readonly origin: string
  stop(): Promise<void>
}

/** No limits on repeated calls, and password hashes that cost nothing. */
export const testSettings = { RATE_LIMITS: 'off', PASSWORD_HASHES: 'cheap' } as const

/** Starts the server with these settings and none of this machine's. Rejects with what it printed when it ends instead. */
export async function startServer(settings: Readonly<Record<string, string>>, entry?: string): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'tezi-e2e-'))
  const usual = { ADMIN_EMAIL: 'admin@tezi.example', ADMIN_PASSWORD: 'e2e-Kesar-Chai-42' }
  const server = await startOn({ DATA_DIR: folder, ...usual, ...settings }, entry)
  return {
    origin: server.url,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
