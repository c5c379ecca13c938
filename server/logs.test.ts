// Log output: JSON or readable, with a component, and never with a secret.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { shouldLogRequest } from './http/add-common-hooks.ts'
import { openLogs, readableLine, type LogSettings } from './logs.ts'

function logsOf(settings: Partial<LogSettings> = {}, terminal = { isTTY: false, hasColours: false }) {
  const lines: string[] = []
  const given = { level: 'info', format: 'auto', ...settings } as const
  return { lines, logs: openLogs(given, { ...terminal, write: (line) => void lines.push(line) }) }
}

const withoutTime = (lines: readonly string[]) => lines.map((line) => line.replace(/\d\d:\d\d:\d\d\.\d{3}Z/, 'TIME'))

test('every line has a component, also of child loggers, and a line may override it', () => {
  const { lines, logs } = logsOf()
  logs('market').child({ reqId: '7' }).info({ source: 'kite' }, 'connected')
  logs('http').error({ component: 'database' }, 'database unavailable')
  logs('server').warn('careful')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { component: 'market', reqId: '7', source: 'kite', msg: 'connected' },
    { component: 'database', msg: 'database unavailable' },
    { component: 'server', msg: 'careful', level: 40 },
  ])
  expect(lines[1]?.split('"component"')).toHaveLength(2)
})

test('LOG_LEVEL skips lower levels', () => {
  const { lines, logs } = logsOf({ level: 'warn' })
  logs('server').info('quiet')
  logs('server').child({}).warn('loud')
  expect(lines).toHaveLength(1)
  const silent = logsOf({ level: 'silent' })
  silent.logs('server').fatal('nothing')
  expect(silent.lines).toEqual([])
})

test.each([
  ['auto', true, false],
  ['auto', false, true],
  ['text', false, false],
  ['json', true, true],
] as const)('LOG_FORMAT %s with a terminal %j is JSON: %j', (format, isTTY, isJson) => {
  const { lines, logs } = logsOf({ format }, { isTTY, hasColours: false })
  logs('market').warn({ source: 'kite', reason: 'not set: KITE_API_KEY' }, 'source is not used')
  expect(lines[0]?.startsWith('{')).toBe(isJson)
  if (!isJson) expect(withoutTime(lines)).toEqual(['TIME WARN  market   source is not used source=kite reason="not set: KITE_API_KEY"\n'])
})

test('an error is followed by its stack; a terminal gets colours', () => {
  const { lines, logs } = logsOf({ format: 'text' })
  const error = new Error('broken')
  error.stack = 'Error: broken\n    at here'
  logs('jobs').error({ err: error }, 'sweep failed')
  expect(withoutTime(lines)).toEqual(['TIME ERROR jobs     sweep failed\n    Error: broken\n    at here\n'])
  const coloured = logsOf({}, { isTTY: true, hasColours: true })
  coloured.logs('jobs').error('red')
  expect(coloured.lines[0]).toContain('\u001B[31mERROR')
})

test('nothing in a readable line controls the terminal or starts a new line', () => {
  const evil = '\u001B[2J\r\n06:00:00.000Z INFO  server   all is well\u009B31m\u202Egnp'
  const { lines, logs } = logsOf({ format: 'text' })
  const error = new Error(evil)
  error.stack = `Error: \u001B]0;title\u0007\n    at ${evil}`
  logs('http').warn({ err: error, message: evil, [evil]: 1, nested: { evil } }, evil)
  // oxlint-disable-next-line eslint/no-control-regex
  expect(lines.join('')).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
  const all = lines.join('').trimEnd().split('\n')
  expect(all.slice(1).every((line) => line.startsWith('    '))).toBe(true)
  expect(readableLine('no JSON \u001B[2J\n', true)).toBe('no JSON \\u001b[2J\n')
})

test.each([
  [200, 'ffffffff-0', 1, true],
  [200, '00000000-0', 0, false],
  [200, '00000000-0', 0.1, true],
  [200, '19000000-0', 0.1, true],
  [304, '1a000000-0', 0.1, false],
  [400, 'ffffffff-0', 0, true],
  [429, 'ffffffff-0', 0.1, true],
  [503, 'ffffffff-0', 0, true],
])('a request with status %d, id %s and LOG_REQUESTS %d is logged: %j', (status, id, share, isLogged) => {
  expect(shouldLogRequest({ status, id }, share)).toBe(isLogged)
})

test('lines for the operator come after the log lines before them, also while the thread pool is busy', async () => {
  const script = `
    import { pbkdf2 } from 'node:crypto'
    import { openLogs, showOperator, standardOutput } from './server/logs.ts'
    pbkdf2('busy', 'salt', 300_000, 32, 'sha512', () => {})
    openLogs({ level: 'info', format: 'text' }, standardOutput())('server').warn('first')
    await showOperator(['second'])
  `
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  expect(withoutTime([stdout])).toEqual(['TIME WARN  server   first\n\n  second\n\n'])
})

test('a full disk of the log does not end the process', async () => {
  const script = `
    import { openLogs, standardOutput } from ${JSON.stringify(new URL('logs.ts', import.meta.url).href)}
    const log = openLogs({ level: 'info', format: 'json' }, standardOutput())('server')
    log.info('first')
    setImmediate(() => setImmediate(() => {
      log.info('second')
      setImmediate(() => setImmediate(() => process.stderr.write('still here')))
    }))`
  const shell = ['-c', '"$0" --input-type=module -e "$1" > /dev/full', process.execPath, script]
  const { stderr } = await promisify(execFile)('/bin/sh', shell, { env: { NODE_OPTIONS: '' } })
  expect(stderr).toBe('still here')
})
