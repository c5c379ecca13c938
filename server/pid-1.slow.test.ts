// The server as process 1, as in a container: it stops on a signal and leaves no zombies.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const unshare = ['--pid', '--fork', '--kill-child', '--mount-proc']
// Needs root: the embedded PostgreSQL switches to another user, which a single-user namespace does not allow.
const mayUnshare = spawnSync('unshare', [...unshare, 'true']).status === 0

test.runIf(mayUnshare)('it reaps the programs of its database and ends with 0', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tezi-pid-1-'))
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: path.join(folder, 'data'), MARKET_SOURCES: 'none' }
  const main = path.join(import.meta.dirname, 'main.ts')
  const space = spawn('unshare', [...unshare, process.execPath, main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(space, 'exit')
  try {
    let output = ''
    await new Promise<void>((resolve) => {
      space.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('ready at')) resolve()
      })
    })
    const [first = 0] = childrenOf(space.pid).map(({ pid }) => pid)
    // Creating the cluster is finished by now, with all its processes. One that is reaped in a moment is not left behind.
    await expect.poll(() => childrenOf(first).filter(({ state }) => state.startsWith('Z'))).toEqual([])
    process.kill(first, 'SIGTERM')
    expect(await ended).toEqual([0, null])
  } finally {
    space.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})

function childrenOf(parent: number | undefined): { pid: number; state: string }[] {
  const lines = spawnSync('ps', ['-o', 'pid=,stat=', '--ppid', String(parent)], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
  return lines.map((line) => line.trim().split(/\s+/)).map(([pid, state = '']) => ({ pid: Number(pid), state }))
}
