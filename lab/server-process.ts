// The real server as a child process, for the scripts that kill, monitor or load it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface ServerProcess {
  readonly pid: number
  readonly address: string
  /** From the spawn to the first 200 of /readyz. */
  readonly readyMs: number
  /** Its output so far. */
  output(): string
  /** Sends the signal and resolves when the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

const probeMs = 2_000
const endMs = 30_000
const main = path.resolve(import.meta.dirname, '../server/main.ts')
/** Above the system's ephemeral ports. */
let port = 61_000 + (process.pid % 4000)

export const newAccountPassword = 'Crash-proof kite 42'

export interface StartOptions {
  readonly limitMs?: number
  /** Additional variables; they override the defaults. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts the server on its own folder and waits for it. Throws with its output if it ends or is not ready within `limitMs`. */
export async function startServer(dataDir: string, { limitMs = 60_000, environment = {} }: StartOptions = {}): Promise<ServerProcess> {
  const started = spawnServer(dataDir, environment)
  const at = performance.now()
  for (;;) {
    if (hasEnded(started.child)) throw new Error(`the server ended at its start:\n${started.output().slice(-2_000)}`)
    if (performance.now() - at > limitMs) {
      await endProcess(started.child, 'SIGKILL')
      throw new Error(`the server was not ready within ${limitMs / 1000} s:\n${started.output().slice(-2_000)}`)
    }
    const isReady = await fetch(`${started.address}/readyz`, { signal: AbortSignal.timeout(probeMs) }).then(
      // An unread body would keep the connection open.
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    )
    if (isReady) break
    await delay(10)
  }
  return {
    pid: started.child.pid ?? 0,
    address: started.address,
    readyMs: performance.now() - at,
    output: started.output,
    end: (signal) => endProcess(started.child, signal),
  }
}

/** Starts the server and does not wait. */
export function spawnServer(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): { child: ChildProcess; address: string; output: () => string } {
  // A new port each time: connections of a killed server may keep the old one busy.
  port += 1
  const own = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ENV_FILE: 'none',
  }
  const env = { ...own, ...environment }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const keep = (chunk: string): void => {
    text = (text + chunk).slice(-20_000)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  return { child, address: `http://127.0.0.1:${port}`, output: () => text }
}

/** Throws if it does not end within half a minute and has to be killed. */
export async function endProcess(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (hasEnded(child)) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const isGone = await Promise.race([gone.then(() => true), delay(endMs, false, { ref: false })])
  if (isGone) return
  child.kill('SIGKILL')
  throw new Error(`the server (pid ${child.pid}) did not end within ${endMs / 1_000} s of ${signal}`)
}

/** Whether it has ended, by itself or by a signal. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** True if the server has acknowledged the account; false for a rejection, a broken connection, anything else. */
export async function signUp(address: string, email: string): Promise<boolean> {
  const body = { name: 'Asha Rao', email, phone: '9876543210', password: newAccountPassword, confirmPassword: newAccountPassword }
  return (await post(`${address}/api/v1/auth/sign-up`, body)) === 201
}

export async function signIn(address: string, email: string): Promise<boolean> {
  return (await post(`${address}/api/v1/auth/sign-in`, { email, password: newAccountPassword })) === 200
}

async function post(url: string, body: unknown): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
