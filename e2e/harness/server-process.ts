// The real server as a process of its own, in a folder of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface ServerProcess {
  readonly origin: string
  stop(): Promise<void>
}

const startMs = 30_000

/**
 * Starts `server/main.ts` with these settings and none of this machine's, on a free port.
 * Rejects with what the server printed when it ends or is not ready within 30 s.
 */
export async function startServer(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'tezi-e2e-'))
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: folder,
      ADMIN_EMAIL: 'admin@tezi.example',
      ADMIN_PASSWORD: 'e2e-Kesar-Chai-42',
      ...settings,
    },
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  let printed = ''
  const address = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
      const origin = /is ready at (http\S+)/.exec(printed)?.[1]
      if (origin !== undefined) resolve(origin)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
  const late = AbortSignal.timeout(startMs)
  const origin = await Promise.race([address, ended, once(late, 'abort')])
  if (typeof origin === 'string' && (await fetch(`${origin}/readyz`)).ok) return { origin, stop }
  await stop()
  throw new Error(`The server did not start:\n${printed}`)
}
