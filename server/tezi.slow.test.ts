// The operator commands as processes on the embedded database, while the server runs and while it does not.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf } from './testing/factors.ts'
import { launchServer, startServer, type ServerProcess } from './testing/process.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tezi-operator-'))
const environment = { DATA_DIR: path.join(folder, 'data'), ADMIN_EMAIL: 'chief@example.in', ADMIN_PASSWORD: 'Monsoon-Rain-77' }
let server: ServerProcess
beforeAll(async () => {
  server = await startServer(environment)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function tezi(...args: string[]): Promise<{ code: number | string; output: string }> {
  const command = launchServer({ ...environment }, 'scripts/tezi.ts', args)
  const code = await command.ended
  return { code, output: command.output() }
}

const passwordIn = (output: string) => /Password: (\S{20})\n/.exec(output)?.[1] ?? ''

const signIn = (password: string) =>
  fetch(`${server.url}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: environment.ADMIN_EMAIL, password }),
  })

/** Calls of the session: GET, or POST with a body. */
async function sessionOf(answer: Response): Promise<(path: string, body?: unknown) => Promise<Response>> {
  const { data } = (await answer.json()) as { data: { sessionToken: string } }
  const headers = { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'session-token': data.sessionToken }
  return (path, body) =>
    body === undefined
      ? fetch(`${server.url}/api/v1${path}`, { headers })
      : fetch(`${server.url}/api/v1${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
}

test.each([
  [[], 2, 'Usage: npx tezi COMMAND'],
  [['admin', 'promote', 'a@b.in'], 2, 'Usage: npx tezi COMMAND'],
  [['admin', 'reset-password'], 1, 'Expected one argument: EMAIL'],
  [['admin', 'reset-password', 'a@b.in', 'c@d.in'], 1, 'Expected one argument: EMAIL'],
  [['admin', 'reset-password', 'nobody@example.in'], 1, 'There is no such user'],
  [['admin', 'reset-two-factor', 'nobody@example.in'], 1, 'There is no such user'],
  [['admin', 'reset-two-factor', environment.ADMIN_EMAIL], 1, 'Two-factor sign-in is not set up for this account'],
  [['import', 'candles', 'absent.1m.csv'], 1, '"absent" is no series'],
  [['test-alert'], 1, 'No alerts: set ALERT_EMAIL'],
  [['doctor', '--all'], 1, "Unknown option '--all'"],
  [['doctor', 'disk'], 1, "Unexpected argument 'disk'"],
  [['verify-candles', '--all'], 1, "Unknown option '--all'"],
  [['verify-candles', 'nifty'], 1, "Unexpected argument 'nifty'"],
  [['backup'], 1, 'Set BACKUP_DIR and BACKUP_KEY: docs/operating/backup-and-restore.md'],
  [['restore', '--to', '2026-11-23 10:30'], 1, '"2026-11-23 10:30" is not a time with a zone'],
])('%j is rejected with a plain line', async (args, code, line) => {
  const answer = await tezi(...args)
  expect(answer.code).toBe(code)
  expect(answer.output).toContain(line)
  expect(answer.output).not.toMatch(/\n\s+at /)
})

test('config reads .env of the working folder, shows origins, lists misspelt settings, and fails for a bad value', async () => {
  const place = path.join(folder, 'place')
  mkdirSync(place)
  const config = async (text: string, own: Readonly<Record<string, string>> = {}) => {
    writeFileSync(path.join(place, '.env'), text)
    const command = launchServer({ ENV_FILE: '', ...own }, 'scripts/tezi.ts', ['config'], place)
    return { code: await command.ended, output: command.output() }
  }
  const good = await config('PORT=4000\nHOST=::1\nADMIN_PASSWRD=hunter2hunter2\nADMIN_PASSWORD=hunter2hunter2', { PORT: '5000' })
  expect(good.code).toBe(0)
  expect(good.output).toMatch(/^PORT +5000 +environment$/m)
  expect(good.output).toMatch(/^HOST +::1 +\.env$/m)
  expect(good.output).toMatch(/^DATA_DIR +\.\/data +default$/m)
  expect(good.output).toContain('Did you mean ADMIN_PASSWORD?')
  expect(good.output).not.toContain('hunter2')
  const bad = await config('NODE_ENV=production\nRATE_LIMITS=off\nPORT=hunter2')
  expect(bad.code).toBe(1)
  expect(bad.output).toContain('Error: PORT: must be a port number')
  expect(bad.output).not.toContain('hunter2')
  expect((await config('NODE_ENV=production\nRATE_LIMITS=off')).output).toContain('Error: RATE_LIMITS: off is refused in production')
})

interface DoctorOutput {
  readonly ok: boolean
  readonly results: readonly { readonly name: string; readonly status: string; readonly message: string }[]
}

test('doctor fails for an invalid setting, finds the running server and its database, and shows no secret', async () => {
  const doctor = async (own: Readonly<Record<string, string>>, ...args: string[]) => {
    const command = launchServer({ ...environment, ...own }, 'scripts/tezi.ts', ['doctor', ...args])
    return { code: await command.ended, output: command.output() }
  }
  const invalid = await doctor({ PORT: 'hunter2' })
  expect(invalid).toMatchObject({ code: 1, output: expect.stringContaining('FAILED   settings  PORT: must be a port number') })
  const run = await doctor({ PORT: String(server.port), SECRET_KEY: Buffer.alloc(32, 'hunter2').toString('base64') }, '--json')
  const { ok, results } = JSON.parse(run.output) as DoctorOutput
  expect(run.code).toBe(ok ? 0 : 1)
  expect(ok).toBe(results.every(({ status }) => status !== 'failed'))
  const byName = new Map(results.map(({ name, status, message }) => [name, `${status}: ${message}`]))
  expect(byName.get('PORT')).toBe(`ok: Tezi answers at 127.0.0.1:${server.port}`)
  expect(byName.get('database')).toMatch(/^ok: PostgreSQL 18 answers/)
  // The embedded database has the same clock.
  expect(byName.get('clock')).toBe('warning: no other clock was reachable to compare with')
  expect(run.output).not.toContain(Buffer.alloc(32, 'hunter2').toString('base64'))
})

test('a password reset works while the server runs: sessions end, the old one is invalid, the new one must be changed', async () => {
  const before = await sessionOf(await signIn(environment.ADMIN_PASSWORD))
  expect((await before('/user')).status).toBe(200)
  const { code, output } = await tezi('admin', 'reset-password', 'Chief@example.in')
  expect(code).toBe(0)
  expect((await before('/user')).status).toBe(401)
  expect((await signIn(environment.ADMIN_PASSWORD)).status).toBe(401)
  const after = await sessionOf(await signIn(passwordIn(output)))
  expect(await (await after('/user')).json()).toMatchObject({ role: 'admin', mustChangePassword: true })
  expect((await after('/admin/audit')).status).toBe(403)
})

test('a two-factor reset: the password alone opens the account again', async () => {
  const { code, output } = await tezi('admin', 'reset-password', environment.ADMIN_EMAIL)
  expect(code).toBe(0)
  const given = passwordIn(output)
  const session = await sessionOf(await signIn(given))
  const { data } = (await (await session('/user/second-factor/totp', {})).json()) as { data: { secret: string } }
  expect((await session('/user/second-factor/totp/confirm', { code: codeOf(data.secret, Date.now()) })).status).toBe(200)
  expect(await (await signIn(given)).json()).toMatchObject({ success: false, data: { challenge: expect.any(String) } })
  expect(await tezi('admin', 'reset-two-factor', environment.ADMIN_EMAIL)).toMatchObject({ code: 0 })
  expect((await session('/user')).status).toBe(401)
  expect(await (await signIn(given)).json()).toMatchObject({ success: true })
})

test('and while it does not; each reset is in the audit log as the operator', async () => {
  await server.stop()
  const { code, output } = await tezi('admin', 'reset-password', environment.ADMIN_EMAIL)
  expect(code).toBe(0)
  server = await startServer(environment)
  expect(server.output()).toContain('ADMIN_PASSWORD is ignored')
  const given = passwordIn(output)
  const session = await sessionOf(await signIn(given))
  const form = { currentPassword: given, newPassword: 'Elaichi-Lassi-77', confirmPassword: 'Elaichi-Lassi-77' }
  expect((await session('/user/password', form)).status).toBe(200)
  const log = (await (await session('/admin/audit')).json()) as { data: { action: string; actor: string }[] }
  const resets = log.data.filter((row) => row.action === 'password-reset')
  const row = { actor: 'operator at the machine', target: environment.ADMIN_EMAIL, address: '' }
  expect(resets).toEqual([expect.objectContaining(row), expect.objectContaining(row), expect.objectContaining(row)])
  expect(log.data.filter(({ action }) => action === 'second-factor-reset')).toEqual([expect.objectContaining(row)])
})

test('verify-candles prints its findings, and exits with 1 while something remains', async () => {
  const write = (name: string, rows: readonly string[]) => {
    const file = path.join(folder, name)
    writeFileSync(file, ['time,open,high,low,close', ...rows].join('\n'))
    return file
  }
  // Friday 20 November 2026, 09:15 to 10:15 in India.
  const openMs = Date.parse('2026-11-20T03:45:00Z')
  const minutes = Array.from({ length: 60 }, (_, index) => `${openMs + index * 60_000},100,101,99,100`)
  expect(await tezi('import', 'candles', write('nifty.1m.csv', minutes))).toMatchObject({ code: 0 })
  const clean = await tezi('verify-candles')
  expect(clean).toMatchObject({ code: 0 })
  expect(clean.output).toContain('1 series, 60 candles')
  expect(await tezi('import', 'candles', write('nifty.1h.csv', [`${openMs},100,150,99,100`]))).toMatchObject({ code: 0 })
  const wrong = await tezi('verify-candles', '--no-repair')
  expect(wrong).toMatchObject({ code: 1 })
  expect(wrong.output).toContain('Differs from the smaller candles: 1 found, 0 repaired, 1 left')
  expect(wrong.output).toContain('nifty csv 1h  2026-11-20T03:45:00.000Z to 2026-11-20T04:45:00.000Z')
})

test('a test of the alerts says that Telegram has accepted it, and why not', async () => {
  const calls: (string | undefined)[] = []
  const api = createServer((request, response) => {
    calls.push(request.url)
    response.end(request.url?.includes('/bot1:good/') === true ? '{"ok":true}' : '{"ok":false,"description":"Unauthorized"}')
  }).listen(0, '127.0.0.1')
  await once(api, 'listening')
  const ALERT_TELEGRAM_URL = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const run = async (token: string) => {
    const more = { ALERT_TELEGRAM_URL, ALERT_TELEGRAM_TOKEN: token, ALERT_TELEGRAM_CHAT: '-100' }
    const command = launchServer({ ...environment, ...more }, 'scripts/tezi.ts', ['test-alert'])
    return { code: await command.ended, output: command.output() }
  }
  expect(await run('1:bad')).toMatchObject({ code: 1, output: 'Telegram answered 200: Unauthorized\n' })
  expect(await run('1:good')).toMatchObject({ code: 0, output: 'telegram: accepted\n' })
  expect(calls).toEqual(['/bot1:bad/sendMessage', '/bot1:good/sendMessage'])
  api.close()
})
