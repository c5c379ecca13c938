// Process lifecycle: one start, one stop on a signal, and a plain line if the start fails.
import type { Logger } from 'pino'
import { goThroughProxy } from './outbound/proxy.ts'
import { readProcessConfig, type Config } from './config/config.ts'
import { ConfigError } from './config/environment.ts'

/** The configuration of this process, which exits with a plain line if it is invalid; the proxy is in use from here on. */
export function readConfigOrExit(): Config {
  try {
    const config = readProcessConfig()
    goThroughProxy(config.proxy)
    return config
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    return process.exit(1)
  }
}

/**
 * Starts, and on a signal stops with the function that the start returned; then ends the process.
 * @param graceMs limit for a shutdown, which must not hold the port and the data folder forever
 */
export function runUntilSignal(start: () => Promise<() => Promise<void>>, log: Logger, graceMs: number): void {
  let stopping: Promise<void> | undefined
  const started = Promise.resolve().then(start)

  function stopOnSignal(signal: NodeJS.Signals): void {
    if (stopping !== undefined) return
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), graceMs).unref()
    stopping = (async () => {
      const stop = await started
      await stop()
      process.exit(0)
    })()
    stopping.catch((error: unknown) => {
      log.error({ err: error }, 'stop failed')
      process.exit(1)
    })
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopOnSignal)
  for (const event of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(event, (reason: unknown) => {
      log.fatal({ err: reason }, event === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught exception')
      process.exit(1)
    })
  started.catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  })
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is not usable:\n${error.message}`
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'The port is already in use. Set PORT to another one.'
  return error instanceof Error ? error.message : String(error)
}
