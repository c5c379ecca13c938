// The server as a process on its embedded database: start, first admin, bad configuration, signals, slow and broken clients, restarts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '#server/metrics/metrics.ts'
import { launchServer, startServer, type ServerProcess } from '#server/testing/process.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tezi-main-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

const account = { name: 'Ravi', email: 'ravi@example.in', phone: '9876543210', password: 'Kesar-Chai-42', confirmPassword: 'Kesar-Chai-42' }

describe('the process', () => {
  test.each([
    [{ PORT: 'many' }, 'PORT: must be a port number'],
    [{ TRADINGVIEW_MOUNT: 'inline' }, 'TRADINGVIEW_MOUNT: must be iframe or script'],
    [{ NODE_ENV: 'production', RATE_LIMITS: 'off' }, 'RATE_LIMITS: off is refused in production'],
    [{ DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none' }, '127.0.0.1'],
  ])('%j stops the start with a clear line', async (environment, line) => {
    const { output, ended } = launchServer({ PORT: '0', DATA_DIR: path.join(folder, 'unused'), ...environment })
    expect(await ended).toBe(1)
    expect(output()).toContain(line)
    expect(output()).not.toContain('hunter2')
    expect(output()).not.toMatch(/\n\s+at /)
  })

  describe('on its own data', () => {
    const dataDir = path.join(folder, 'data')
    const environment = { DATA_DIR: dataDir, METRICS_PORT: '0', ENV_FILE: path.join(folder, 'settings.env') }
    writeFileSync(environment.ENV_FILE, 'BRAND_NAME=Kesar\nDATA_DIR=/nowhere\nSMTP_HOST=mail.example\n')
    const readable = { LOG_FORMAT: 'text', LOG_LEVEL: 'warn' }
    let server: ServerProcess
    let password: string | undefined
    beforeAll(async () => {
      server = await startServer(environment)
      password = /Password: +(\S+)/.exec(server.output())?.[1]
    })
    afterAll(async () => {
      await server.stop()
    })

    test('it prints the generated password of the first admin, which signs in, and keeps it out of the log', async () => {
      expect(server.output()).toContain('First admin: admin@tezi.local')
      expect(password).toMatch(/^\w{20}$/)
      const answer = await post(`${server.url}/api/v1/auth/sign-in`, { email: 'admin@tezi.local', password })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ data: { user: { role: 'admin' } } })
      const logged = server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
      expect(logged.length).toBeGreaterThan(0)
      expect(logged.join('')).not.toContain(password)
      expect(logged.filter((line) => !line.includes('"component":"'))).toEqual([])
    })

    test('it reads the .env file, and warns once of an unknown variable', () => {
      expect(server.output()).toContain('Kesar is ready at http://')
      expect(server.output().split('SMTP_HOST is not a setting of Tezi and has no effect')).toHaveLength(2)
      expect(server.output()).not.toContain('mail.example')
    })

    test('its monitoring port has the metrics of the process, and no secret', async () => {
      const url = /Metrics: (\S+)/.exec(server.output())?.[1] ?? ''
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
      expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
      expect(await (await fetch(new URL('/readyz', url))).json()).toEqual({ status: 'ready', missing: [] })
      const text = await (await fetch(url)).text()
      const hubOnly = ['tezi_market_data_age_seconds', 'tezi_market_series_stale']
      // Of a mailer, a backup folder and a replica, which this process does not have.
      const notSetUp = ['tezi_mails_total', 'tezi_mails_under_way', 'tezi_backup_age_seconds', 'tezi_replica_reads_total']
      const expected = Object.keys(catalogue).filter((name) => !notSetUp.includes(name))
      expect(expected.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
      expect(text).toContain('tezi_market_hub{place="here"} 1')
      expect(text).toContain('tezi_job_runs_total{name="sweep",result="failed"} 0')
      expect(text).toMatch(/tezi_event_loop_delay_seconds\{statistic="p99"\} \d/)
      expect(hubOnly.filter((name) => text.includes(`${name}{`))).toEqual([])
      for (const secret of [password ?? '-', 'admin@tezi.local', dataDir]) expect(text).not.toContain(secret)
    })

    test('a second process on the same data is rejected with a clear line', async () => {
      const second = launchServer({ ...environment, PORT: '0' })
      expect(await second.ended).toBe(1)
      expect(second.output()).toMatch(/in use by another/)
    })

    test('invalid HTTP, two lengths and mixed framing are rejected with the common headers', async () => {
      for (const [request, status] of [
        ['HELLO\r\n\r\n', 400],
        ['POST /api/v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
        ['POST /api/v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello', 400],
        [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
        // 405 with built pages, 404 without.
        ['TRACE / HTTP/1.1\r\nHost: x\r\nX-Secret: echo-me\r\nConnection: close\r\n\r\n', '40[45]'],
      ] as const) {
        const answer = await rawAnswer(server.port, request)
        expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
        expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff')
        expect(answer).not.toContain('echo-me')
      }
    })

    test('200 clients that never finish do not delay the others', async () => {
      const sockets = await Promise.all(Array.from({ length: 200 }, () => opened(server.port)))
      for (const [index, socket] of sockets.entries()) {
        socket.write(
          index % 2 === 0
            ? 'GET / HTTP/1.1\r\nHost: x\r\n'
            : 'POST /api/v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
        )
      }
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      // The server ends them after 15 seconds; the answer was not the consequence of that.
      expect(sockets.some((socket) => !socket.closed)).toBe(true)
      for (const socket of sockets) socket.destroy()
    })

    test('of sixty concurrent sign-ins an address gets its share, and the health check answers beside them', async () => {
      const signIns = Array.from({ length: 60 }, (_, index) =>
        post(`${server.url}/api/v1/auth/sign-in`, { email: `nobody-${index}@example.in`, password: 'Monsoon#77' }),
      )
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
      const statuses = (await Promise.all(signIns)).map((answer) => answer.status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(15)
      expect(statuses.filter((status) => status === 429)).toHaveLength(45)
    })

    test('limits, sessions and accounts survive a restart; the password is not printed again', async () => {
      expect((await post(`${server.url}/api/v1/auth/sign-up`, account)).status).toBe(201)
      expect(await server.stop('SIGTERM')).toBe(0)
      server = await startServer({ ...environment, ...readable })
      expect(server.output()).not.toContain('Password:')
      expect(server.output()).toMatch(/Z WARN {2}server {3}SMTP_HOST is not a setting/)
      expect(server.output()).not.toMatch(/^\{| INFO /m)
      const guess = async () => (await post(`${server.url}/api/v1/auth/sign-in`, { ...account, email: 'nobody@example.in' })).status
      // The first wait of 15 s may end during a restart; then one more is admitted, not 15.
      expect([await guess(), await guess()]).toContain(429)
      expect((await post(`${server.url}/api/v1/auth/sign-up`, account)).status).toBe(409)
    })

    test('SIGTERM finishes a running request and then exits with 0', async () => {
      const running = post(`${server.url}/api/v1/auth/sign-up`, { ...account, email: 'last@example.in' })
      const socket = await opened(server.port)
      // The request has arrived when the signal does.
      await fetch(`${server.url}/healthz`)
      const code = server.stop('SIGTERM')
      expect((await running).status).toBe(201)
      expect(await code).toBe(0)
      socket.destroy()
    })

    test('production without an https PUBLIC_URL says so at the start, and not in /readyz', async () => {
      await server.stop()
      server = await startServer({ ...environment, NODE_ENV: 'production', DRAIN_SECONDS: '0' })
      expect(server.output()).toContain('WARNING: PUBLIC_URL is not an https address')
      // Everybody can read it.
      expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' })
    })
  })
})

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject)
  })
}

async function rawAnswer(port: number, request: string): Promise<string> {
  const socket = await opened(port)
  socket.write(request)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}
