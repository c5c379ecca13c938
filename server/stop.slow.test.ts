// Ten shutdowns under load of a real process: no request is aborted, sockets close with 1001, readiness fails first.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion } from '#shared/market-data/live/contract.ts'
import { emptyDatabaseUrl } from '#server/testing/database.ts'
import { startServer, type ServerProcess } from '#server/testing/process.ts'

const stops = 10
const callersEach = 6
const drainSeconds = 3

interface Reply {
  readonly status: number
  readonly connection: string | undefined
}

let server: ServerProcess | undefined
afterEach(() => server?.stop('SIGKILL'))

function call(url: string, agent: Agent, body?: object): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { agent, method: body === undefined ? 'GET' : 'POST', headers: { 'content-type': 'application/json' } }
    const sent = request(url, options, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }))
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const password = 'Kesar-Chai-42'
const accountOf = (email: string) => ({ name: 'Ravi', email, phone: '9876543210', password, confirmPassword: password })

/** Opens the socket of a signed-in user; resolves, once it is welcomed, with the promise of its close code. */
async function openLiveSocket(url: string): Promise<{ code: Promise<number> }> {
  const post = (path: string, body: object) =>
    fetch(url + basePath + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  await post('/auth/sign-up', accountOf('watcher@example.in'))
  const signedIn = await post('/auth/sign-in', { email: 'watcher@example.in', password })
  const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0])
  const { data } = (await signedIn.json()) as { data: { sessionToken: string } }
  const socket = new WebSocket(`${url.replace('http', 'ws')}${basePath}${livePath}`, { headers: { cookie: cookie.join('; ') } })
  const code = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('open', () => socket.send(JSON.stringify({ t: 'hello', v: liveVersion, token: data.sessionToken })))
  await new Promise((resolve) => socket.once('message', resolve))
  return { code }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error))

test('running requests and requests on keep-alive connections are answered', async () => {
  const databaseUrl = await emptyDatabaseUrl('stop_under_load')
  const environment = { DATABASE_URL: databaseUrl, RATE_LIMITS: 'off', PASSWORD_HASHES: 'cheap', DRAIN_SECONDS: String(drainSeconds) }
  const table: { balanced: number; direct: number; failed: string[]; closeCode: number; readyStatuses: number[]; stopMs: number }[] = []
  let number = 0
  for (let round = 0; round < stops; round += 1) {
    const running = await startServer(environment)
    server = running
    const failed: string[] = []
    const count = { balanced: 0, direct: 0 }
    const seen = { isReady: true, isGone: false }
    const readyStatuses: number[] = []

    // A load balancer: checks readiness ten times a second, and sends nothing more after the first 503.
    const agent = new Agent({ keepAlive: true })
    const probe = async () => {
      while (seen.isReady) {
        const status = await call(`${running.url}/readyz`, agent).then(
          (reply) => reply.status,
          (error: unknown) => {
            failed.push(`readyz ${codeOf(error)}`)
            return 0
          },
        )
        if (readyStatuses.at(-1) !== status) readyStatuses.push(status)
        seen.isReady = status === 200
        await delay(100)
      }
    }
    const send = (index: number, through: Agent) => {
      if (index % 3 === 0) return call(`${running.url}/`, through)
      if (index % 3 === 1) return call(`${running.url}${basePath}/openapi.json`, through)
      return call(`${running.url}${basePath}/auth/sign-up`, through, accountOf(`ravi${(number += 1)}@example.in`))
    }
    const balanced = async (index: number) => {
      while (seen.isReady) {
        const reply = await send(index, agent).catch((error: unknown) => codeOf(error))
        count.balanced += 1
        if (typeof reply === 'string' || reply.status >= 500) failed.push(`balanced ${JSON.stringify(reply)}`)
      }
    }
    // Clients without readiness checks continue until the port rejects them.
    const directAgent = new Agent({ keepAlive: true })
    const direct = async (index: number) => {
      while (!seen.isGone) {
        const reply = await send(index, directAgent).catch((error: unknown) => codeOf(error))
        if (reply === 'ECONNREFUSED') return
        count.direct += 1
        if (typeof reply === 'string' || reply.status >= 500) failed.push(`direct ${JSON.stringify(reply)}`)
      }
    }
    const closed = await openLiveSocket(running.url)

    const load = [probe(), ...Array.from({ length: callersEach }, (_, index) => [balanced(index), direct(index)]).flat()]
    // Each stop comes at another moment of the load.
    while (Math.min(count.balanced, count.direct) <= callersEach + round) await delay(10)
    const startMs = performance.now()
    const code = await running.stop()
    const stopMs = Math.round(performance.now() - startMs)
    seen.isGone = true
    await Promise.all(load)
    agent.destroy()
    directAgent.destroy()
    expect(code).toBe(0)
    table.push({ ...count, failed, closeCode: await closed.code, readyStatuses, stopMs })
  }
  for (const { failed, ...row } of table) process.stdout.write(`${JSON.stringify({ ...row, failed: failed.length })}\n`)
  expect(table.flatMap(({ failed }) => failed)).toEqual([])
  expect(table.map(({ closeCode }) => closeCode)).toEqual(Array.from({ length: stops }, () => 1001))
  expect(table.map(({ readyStatuses }) => readyStatuses)).toEqual(Array.from({ length: stops }, () => [200, 503]))
})
