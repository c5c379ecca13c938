// Browser error reports: rejections, log output, and stack traces resolved to sources.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rateLimits } from '#server/http/rate-limiter.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const source = `interface Bar { close: number }
export function lastClose(bars: readonly Bar[]): number {
  if (bars.length === 0) throw new TypeError('no bars')
  return bars[bars.length - 1]?.close ?? 0
}
`

let folder: string
/** Name of the built chunk, and the stack that it throws. */
let chunk: string
let stack: string
let server: TestApp

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tezi-reports-'))
  await writeFile(path.join(folder, 'last-close.ts'), source)
  const plugin = path.join(root, 'scripts/vite/source-maps.ts')
  await writeFile(
    path.join(folder, 'vite.config.mjs'),
    `import { sourceMaps } from ${JSON.stringify(plugin)}\nexport default { plugins: [sourceMaps()] }\n`,
  )
  const outDir = path.join(folder, 'dist/web')
  await build({
    root: folder,
    configFile: path.join(folder, 'vite.config.mjs'),
    logLevel: 'silent',
    build: {
      outDir,
      minify: true,
      sourcemap: 'hidden',
      rolldownOptions: { input: path.join(folder, 'last-close.ts'), preserveEntrySignatures: 'strict' },
    },
  })
  chunk = (await readdir(path.join(outDir, 'assets'))).find((name) => name.endsWith('.js')) ?? ''
  const file = path.join(outDir, 'assets', chunk)
  const built = (await import(pathToFileURL(file).href)) as { lastClose: (bars: readonly never[]) => number }
  try {
    built.lastClose([])
  } catch (error) {
    stack = String((error as Error).stack)
      .replaceAll(pathToFileURL(file).href, file)
      .replaceAll(file, `https://tezi.example/assets/${chunk}`)
  }
  await writeFile(path.join(outDir, 'index.html'), '<script type="application/json" id="site">{}</script>')
  server = await testApp({ webRoot: outDir })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  server.logLines.length = 0
  await server.database.db.deleteFrom('rate_counters').execute()
})

const report = { message: 'TypeError: no bars', path: '/nifty50' }

function send(body: unknown, options: { address?: string; headers?: Record<string, string> } = {}) {
  const { address, headers } = options
  return server
    .browser(address === undefined ? {} : { address })
    .send({ method: 'POST', path: '/api/v1/error-reports', body, ...(headers === undefined ? {} : { headers }) })
}

interface LogLine {
  readonly level: number
  readonly msg: string
  readonly reqId: string
  readonly browserError: { message: string; path: string; release?: string; failedRequestId?: string; stack?: string[] }
}

const reportLines = () => server.logLines.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg === 'browser error')

describe('rejected, and not logged', () => {
  test.each([
    ['no message', { path: '/' }],
    ['an empty message', { ...report, message: '' }],
    ['a long message', { ...report, message: 'x'.repeat(301) }],
    ['a long stack', { ...report, stack: 'x'.repeat(4001) }],
    ['a path with a query', { ...report, path: '/account?email=a' }],
    ['a path with a fragment', { ...report, path: '/reset-password#token' }],
    ['an address instead of a path', { ...report, path: 'https://tezi.example/' }],
    ['a malformed release', { ...report, release: '../../etc/passwd' }],
    ['a malformed request id', { ...report, requestId: 'x' }],
    ['no object', [report]],
  ])('%s', async (_what, body) => {
    expect((await send(body)).statusCode).toBe(400)
    expect(reportLines()).toEqual([])
  })

  test('a body above 16 kB', async () => {
    expect((await send({ ...report, more: 'x'.repeat(16 * 1024) })).statusCode).toBe(413)
    expect(reportLines()).toEqual([])
  })

  test.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])('a call from another site: %j', async (headers) => {
    expect((await send(report, { headers })).statusCode).toBe(403)
    expect(reportLines()).toEqual([])
  })

  test('too many of one address; others are unaffected, and the window ends', async () => {
    const { hitsMax, windowMs } = rateLimits.errorReportAddress
    for (let count = 0; count < hitsMax; count += 1) expect((await send(report)).statusCode).toBe(200)
    const rejected = await send(report)
    expect(rejected.statusCode).toBe(429)
    expect(Number(rejected.headers['retry-after'])).toBe(windowMs / 1000)
    expect((await send(report, { address: '198.51.100.9' })).statusCode).toBe(200)
    expect(reportLines()).toHaveLength(hitsMax + 1)
    server.clock.nowMs += windowMs
    expect((await send(report)).statusCode).toBe(200)
  })

  test('too many of all addresses together', async () => {
    await server.database.db
      .insertInto('rate_counters')
      .values({ bucket: 'error-report', hits: rateLimits.errorReportAll.hitsMax, window_end: new Date(server.clock.nowMs + 60_000) })
      .execute()
    expect((await send(report)).statusCode).toBe(429)
    expect(reportLines()).toEqual([])
  })
})

test('a report is one warning with the request id and the resolved stack', async () => {
  const requestId = '0192d3b4-5c6d-4e7f-8a9b-0c1d2e3f4a5b'
  expect(stack).toMatch(/\/assets\/last-close-[\w-]+\.js:1:\d+/)
  const response = await send({ ...report, stack, release: 'index-Cx0vi6fp.js', requestId })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ success: true })
  const lines = reportLines()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    level: 40,
    reqId: response.headers['x-request-id'],
    browserError: { message: 'TypeError: no bars', path: '/nifty50', release: 'index-Cx0vi6fp.js', failedRequestId: requestId },
  })
  expect(lines[0]?.browserError.stack?.[0]).toBe('TypeError: no bars')
  expect(lines[0]?.browserError.stack?.[1]).toMatch(/^ {4}at .*last-close\.ts:3:\d+\)$/)
})

test('Firefox frames are resolved; unknown chunks and foreign frames are kept', async () => {
  const position = /:1:(\d+)/.exec(stack)?.[1] ?? ''
  const given = [
    `e@https://tezi.example/assets/${chunk}:1:${position}`,
    '    at x (https://tezi.example/assets/gone-AAAAAAAA.js:1:2)',
    '    at y (https://tezi.example/assets/..%2f..%2fpackage.json:1:2)',
    '    at z (https://tezi.example/assets/../../package.js:1:2)',
  ]
  await send({ ...report, stack: given.join('\n') })
  const [line] = reportLines()
  expect(line?.browserError.stack?.[0]).toMatch(/^ {4}at e \(last-close\.ts:3:\d+\)$/)
  expect(line?.browserError.stack?.slice(1)).toEqual(given.slice(1))
})

test('frames without a source, and maps that cannot be read, are kept as they are', async () => {
  const maps = path.join(folder, 'dist/source-maps')
  await writeFile(path.join(maps, 'bare.js.map'), '{"version":3,"sources":[null],"names":[],"mappings":"A,CAAA"}')
  await writeFile(path.join(maps, 'cut.js.map'), '{"version":3,"sou')
  const given = ['bare', 'cut'].map((name) => `    at f (https://tezi.example/assets/${name}.js:1:2)`)
  expect((await send({ ...report, stack: given.join('\n') })).statusCode).toBe(200)
  expect(reportLines()[0]?.browserError.stack).toEqual(given)
})

test('personal data and forged lines are not logged', async () => {
  await send({
    message: 'asha.rao@example.in\n{"level":60,"msg":"forged"}',
    path: '/u/asha@example.in',
    stack: 'Error: call 9876543210\n    at f (https://tezi.example/x?token=s3cret:1:2)',
  })
  expect(server.logLines.join('')).not.toMatch(/asha|9876543210|s3cret/)
  expect(reportLines()).toHaveLength(1)
  expect(server.logLines.filter((line) => line.includes('"level":60'))).toEqual([])
  // The report's log line has no address; the request log has, as for every call.
  expect(JSON.stringify(reportLines())).not.toContain('203.0.113.7')
})

test('no source map is public', async () => {
  for (const url of [
    `/assets/${chunk}.map`,
    `/source-maps/${chunk}.map`,
    `/assets/../../source-maps/${chunk}.map`,
    `/assets/..%2f..%2fsource-maps/${chunk}.map`,
  ])
    expect((await server.browser().send({ method: 'GET', path: url })).statusCode).toBe(404)
  const script = await server.browser().send({ method: 'GET', path: `/assets/${chunk}` })
  expect(script.statusCode).toBe(200)
  expect(script.body).not.toContain('sourceMappingURL')
})
