// The real server for browser tests, in its own data folder that is removed at the end.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer as startOn } from '#server/testing/process.ts'

export interface ServerProcess {
  readonly origin: string
  stop(): Promise<void>
}

/** No rate limits, and cheap password hashes. */
export const testSettings = { RATE_LIMITS: 'off', PASSWORD_HASHES: 'cheap' } as const

/** Starts the server with only these settings. Rejects with its output if it ends instead. */
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
