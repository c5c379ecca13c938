// Formats a JSON log line for a terminal. Redaction comes before, because it applies to the JSON.
import { styleText } from 'node:util'

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
 * Control characters stay escaped, so that nothing in a log can control the terminal or look like another line.
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
