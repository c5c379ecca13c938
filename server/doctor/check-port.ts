// Checks that the ports of the server are free, or that Tezi itself answers there.
import { createServer } from 'node:net'
import { failed, ok, type CheckResult } from './check.ts'

export interface PortOptions {
  /** Name of the setting: PORT or METRICS_PORT. */
  readonly name: string
  readonly host: string
  readonly port: number
}

/** Listens for a moment; a port in use is fine if `/healthz` answers there as Tezi does. */
export async function checkPort({ name, host, port }: PortOptions, signal: AbortSignal): Promise<CheckResult> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const code = await listenOnce(host, port)
  if (code === undefined) return ok(name, `${address} is free: Tezi is not running`)
  if (code === 'EADDRINUSE') {
    if (await isTezi(host, port, signal)) return ok(name, `Tezi answers at ${address}`)
    return failed(name, `another program uses ${address}`, `Find it with "ss -ltnp", stop it, or set ${name} to another port.`)
  }
  if (code === 'EACCES')
    return failed(name, `this user may not open ${address}`, `Set ${name} to 1024 or more; a reverse proxy opens 80 and 443.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return failed(name, `${host} is no address of this machine`, 'Set HOST or METRICS_HOST to 127.0.0.1, or to an address of this machine.')
  return failed(name, `${address} cannot be opened: ${code}`, `Set ${name} to another port.`)
}

/** The error code, or undefined if listening works. */
function listenOnce(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen(port, host, () => server.close(() => resolve(undefined)))
  return promise
}

/** Whether a port of this machine responds as Tezi. */
async function isTezi(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  try {
    const response = await fetch(`http://${local.includes(':') ? `[${local}]` : local}:${port}/healthz`, { signal, redirect: 'error' })
    return response.ok && isAlive(await response.text())
  } catch (error) {
    // No HTTP, or no response: another program.
    if (error instanceof TypeError || signal.aborted) return false
    throw error
  }
}

/** Whether a text is the body of `/healthz`. */
export function isAlive(text: string): boolean {
  return /^\{"status":"ok"\}\s*$/.test(text)
}
