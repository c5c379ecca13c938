// The real server as a separate process, for tests of start, signals and slow clients.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface ServerProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly port: number
  /** Its output so far, both streams. */
  output(): string
  /** Resolves with the exit code (or the signal's name) when the output is complete. */
  readonly ended: Promise<number | string>
  stop(signal?: NodeJS.Signals): Promise<number | string>
}

const root = path.resolve(import.meta.dirname, '../..')

/** Starts the server, or another program, with only these variables and without `.env`; with `PORT` 0 the log has the port. */
export function launchServer(
  environment: Readonly<Record<string, string>>,
  entry = 'server/main.ts',
  args: readonly string[] = [],
  folder = root,
): {
  child: ChildProcess
  output: () => string
  ended: Promise<number | string>
} {
  const child = spawn(process.execPath, [path.resolve(root, entry), ...args], {
    cwd: folder,
    // Tests use no external market data and no developer settings.
    env: { PATH: process.env['PATH'] ?? '', MARKET_SOURCES: 'none', ENV_FILE: 'none', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  // Not 'exit', which may come before the last output.
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => code ?? signal ?? 'gone')
  return { child, output: () => text, ended }
}

/** Starts the server on a free port and waits until it is ready. */
export async function startServer(environment: Readonly<Record<string, string>>, entry?: string): Promise<ServerProcess> {
  const { child, output, ended } = launchServer({ PORT: '0', ...environment }, entry)
  const port = await Promise.race([
    new Promise<number>((resolve) => {
      const look = () => {
        // With the other lines for the operator, which end with an empty one.
        const ready = /ready at http:\/\/[\w.[\]:]+:(\d+)\n(?: .*\n)*\n/.exec(output())
        if (ready?.[1] === undefined) return
        // Searching a long log again with every line would slow a measured server down.
        child.stdout?.off('data', look)
        resolve(Number(ready[1]))
      }
      child.stdout?.on('data', look)
    }),
    ended.then((code) => {
      throw new Error(`The server ended with ${code}:\n${output()}`)
    }),
  ])
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { child, url: `http://127.0.0.1:${port}`, port, output, ended, stop }
}
