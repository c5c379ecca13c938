// Shared by all logs: components, level, and JSON or readable lines.
import { isatty } from 'node:tty'
import { pino, type LevelWithSilent, type Logger, type LoggerOptions } from 'pino'
import { readableLine } from './readable-log.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const satisfies readonly LevelWithSilent[]

export interface LogSettings {
  readonly level: (typeof logLevels)[number]
  /** `auto` is readable in a terminal and JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'text'
}

type LogComponent = 'server' | 'http' | 'database' | 'market' | 'broker' | 'jobs' | 'mail'

/** The log of a component. A line may override `component`. */
export type Logs = (component: LogComponent) => Logger

/** Output of lines; not a terminal by default. */
export interface LogTarget {
  readonly isTTY?: boolean
  readonly hasColours?: boolean
  write(line: string): void
}

/** Lines without host and process, with times in UTC. */
const logOptions: LoggerOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
}

/** Logs that share a target. */
export function openLogs({ level, format }: LogSettings, target: LogTarget): Logs {
  const isReadable = format === 'text' || (format === 'auto' && target.isTTY === true)
  const stream = isReadable ? { write: (line: string) => target.write(readableLine(line, target.hasColours === true)) } : target
  const opened = new Map<LogComponent, Logger>()
  return (component) => {
    // A mixin, because child bindings are written next to those of a line, which would duplicate the component.
    const log = opened.get(component) ?? pino({ ...logOptions, level, mixin: () => ({ component }) }, stream)
    opened.set(component, log)
    return log
  }
}

/** Writes at level info with the argument order of feeds and brokers: the line, then its details. */
export function lineLog(log: Logger): (line: string, details?: Readonly<Record<string, unknown>>) => void {
  return (line, details) => log.info({ ...details }, line)
}

const unwrittenBytesMax = 1024 * 1024

/** Standard output. Lines of one turn of the event loop are written together, and those of the last turn when the process exits. */
export function standardOutput(): LogTarget {
  // Otherwise a line can come after later lines for the operator, which are written synchronously.
  const destination = pino.destination({ dest: 1, sync: true, maxLength: unwrittenBytesMax })
  // A full disk must not end the process: lines wait up to that size, later ones are lost.
  destination.on('error', () => undefined)
  const isTTY = isatty(1)
  let lines = ''
  function flush(): void {
    if (lines === '') return
    destination.write(lines)
    lines = ''
  }
  process.on('exit', flush)
  function write(line: string): void {
    if (lines === '') setImmediate(flush)
    lines += line
  }
  return { isTTY, hasColours: isTTY && process.stdout.hasColors(), write }
}
