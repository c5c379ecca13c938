// Output of a process: logs with components and a level, as JSON or readable lines, and lines for the operator.
import { isatty } from 'node:tty'
import { styleText } from 'node:util'
import { pino, type LevelWithSilent, type Logger, type LoggerOptions } from 'pino'

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

/** Writes the lines as one block. Resolves when the terminal or pipe has accepted them. @throws if the pipe is closed */
export function showOperator(lines: readonly string[]): Promise<void> {
  const text = `\n${lines.map((line) => `  ${line}\n`).join('')}\n`
  return new Promise((resolve, reject) => {
    // Behind the log lines of this turn of the event loop.
    setImmediate(() => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
  })
}

const levels: Readonly<Record<number, readonly [name: string, colour: 'gray' | 'blue' | 'yellow' | 'red']>> = {
  10: ['TRACE', 'gray'],
  20: ['DEBUG', 'gray'],
  30: ['INFO', 'blue'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'red'],
}

/** Fields with their own position, and redundant ones. */
const placed = new Set(['level', 'time', 'component', 'msg', 'err'])

/**
 * `06:00:00.123Z WARN  market  source is not used  source=kite reason="not set"`, and an error's stack below it.
 * Control characters stay escaped, so that nothing in a log can control the terminal or look like another line. Redaction comes
 * before, because it applies to the JSON.
 */
export function readableLine(json: string, hasColours: boolean): string {
  const entry = parsed(json)
  if (entry === undefined) return `${escaped(json.trimEnd())}\n`
  const [level, colour] = levels[Number(entry['level'])] ?? ['?', 'gray']
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text
  const time = textOf(entry['time']).replace(/^\d{4}-\d\d-\d\dT/, '')
  const details = Object.entries(entry).filter(([name]) => !placed.has(name))
  const head = [
    paint('gray', time),
    paint(colour, level.padEnd(5)),
    paint('cyan', textOf(entry['component']).padEnd(8)),
    textOf(entry['msg']),
  ]
  const fields = details.map(([name, value]) => `${paint('gray', `${escaped(name)}=`)}${textOf(value, true)}`)
  return `${[...head, ...fields].join(' ')}\n${errorLines(entry['err'])}`
}

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function errorLines(error: unknown): string {
  if (typeof error !== 'object' || error === null) return error === undefined ? '' : `    ${textOf(error)}\n`
  const { stack, message } = error as { stack?: unknown; message?: unknown }
  const text = typeof stack === 'string' ? stack : textOf(message)
  return text
    .split('\n')
    .map((line) => `    ${escaped(line.trim())}\n`)
    .join('')
}

function textOf(value: unknown, isQuoted = false): string {
  if (typeof value === 'string') return isQuoted && /[\s="]|^$/.test(value) ? escaped(JSON.stringify(value)) : escaped(value)
  return value === undefined ? '' : escaped(JSON.stringify(value))
}

/** Control characters, line separators, and bidirectional marks. */
function escaped(text: string): string {
  const unsafe = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
  return text.replaceAll(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
