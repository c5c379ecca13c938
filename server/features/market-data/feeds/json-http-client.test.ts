// The HTTP client of feeds: rate limits, bans, timeouts and invalid responses as FeedErrors, and retries.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { FeedError } from '../feed.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { manualClock, settle } from './testing/manual-clock.ts'

const startMs = Date.parse('2026-11-20T06:30:00Z')
const schema = z.object({ price: z.number() })

type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang'

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

/** A server that returns these responses in order, and repeats the last one. */
async function provider(answers: readonly Answer[]) {
  const clock = manualClock(startMs)
  const log: string[] = []
  const seen: { atMs: number; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)]
    seen.push({ atMs: clock.now() - startMs, headers: request.headers })
    if (answer === undefined || answer === 'hang') return
    response.writeHead(answer.status, answer.headers).end(answer.body ?? '{"price":5}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  opened.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const note = (line: string, details?: unknown) => void log.push(`${line} ${JSON.stringify(details ?? {})}`)
  const client = new JsonHttpClient({
    name: 'Testex',
    clock,
    log: note,
    headers: { authorization: 'secret-key' },
    reasonOf: (body) => z.object({ msg: z.string() }).safeParse(body).data?.msg,
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/prices?key=secret-key`)

  /** Sends a request, and moves the clock timer by timer until it settles. */
  async function ask(options: { signal?: AbortSignal; isOnce?: boolean } = {}) {
    const done: PromiseSettledResult<{ price: number }>[] = []
    void Promise.allSettled([client.get({ url, schema, ...options })]).then((outcomes) => done.push(...outcomes))
    const rest = () => settle([() => seen.length, () => clock.activity()])
    await rest()
    for (;;) {
      const [outcome] = done
      if (outcome !== undefined) return outcome
      const dueMs = clock.nextDueMs()
      if (dueMs === undefined) throw new Error('Nothing will happen any more')
      clock.advance(dueMs - clock.now())
      await rest()
    }
  }
  return { ask, seen, log, clock }
}

const ok = { status: 200 } as const

describe('rejects', () => {
  test.for([
    [{ status: 400, body: '{"msg":"Invalid symbol."}' }, 'refused', 'Testex refused the request (400): Invalid symbol.', 1],
    [{ status: 404, body: '<html>' }, 'refused', 'Testex refused the request (404)', 1],
    [{ status: 503 }, 'unreachable', 'Testex is out of order (503)', 3],
    ['hang', 'unreachable', 'Testex did not answer within 15 s', 3],
    [{ status: 200, body: '{"price":' }, 'malformed', 'Testex answered something that cannot be read', 3],
    [{ status: 200, body: '{"price":"5"}' }, 'malformed', 'Testex answered something that cannot be read', 3],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unreachable', 'Testex cannot be reached', 3],
    [{ status: 429, headers: { 'retry-after': '600' } }, 'limited', 'Testex takes no more requests for now', 1],
  ] as const)('%j as %s', async ([answer, kind, message, tries]) => {
    const { ask, seen } = await provider([answer])
    expect(await ask()).toMatchObject({ status: 'rejected', reason: { name: 'FeedError', kind, message } })
    expect(seen).toHaveLength(tries)
  })

  test('a ban is reported with its end, and no request is sent before it', async () => {
    const { ask, seen, clock } = await provider([{ status: 418, headers: { 'retry-after': '120' } }, ok])
    expect(await ask()).toMatchObject({ reason: { kind: 'refused', retryAfterMs: 120_000 } })
    clock.advance(60_000)
    expect(await ask()).toMatchObject({ reason: { kind: 'refused', retryAfterMs: 60_000 } })
    expect(seen).toHaveLength(1)
    clock.advance(60_000)
    expect(await ask()).toEqual({ status: 'fulfilled', value: { price: 5 } })
  })

  test('after one attempt if the caller disabled retries', async () => {
    const { ask, seen } = await provider([{ status: 503 }, ok])
    expect(await ask({ isOnce: true })).toMatchObject({ reason: { kind: 'unreachable' } })
    expect(seen).toHaveLength(1)
  })

  test('with the reason of the signal if it was already aborted', async () => {
    const { ask } = await provider([ok])
    const outcome = await ask({ signal: AbortSignal.abort(new Error('not wanted')) })
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'not wanted' } })
  })

  test('without the key in logs or errors', async () => {
    const { ask, log } = await provider([{ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }, 'hang'])
    const outcome = await ask()
    expect(outcome.status === 'rejected' && outcome.reason instanceof FeedError).toBe(true)
    expect(log).toHaveLength(3)
    expect(`${log.join()} ${outcome.status === 'rejected' ? String(outcome.reason) : ''}`).not.toContain('secret-key')
  })
})

describe('resolves', () => {
  test('with the validated body, and the key is sent only to the provider', async () => {
    const { ask, seen } = await provider([ok])
    expect(await ask()).toEqual({ status: 'fulfilled', value: { price: 5 } })
    expect(seen[0]?.headers.authorization).toBe('secret-key')
  })

  test.for([
    ['in seconds', '12'],
    ['as a date', new Date(startMs + 12_000).toUTCString()],
  ])('after a rate limit with a retry time %s', async ([, header]) => {
    const { ask, seen } = await provider([{ status: 429, headers: { 'retry-after': header ?? '' } }, ok])
    expect(await ask()).toMatchObject({ status: 'fulfilled' })
    expect(seen.map(({ atMs }) => atMs)).toEqual([0, 12_000])
  })

  test('after a rate limit without a retry time in half a minute', async () => {
    const { ask, seen } = await provider([{ status: 429 }, ok])
    expect(await ask()).toMatchObject({ status: 'fulfilled' })
    expect(seen[1]?.atMs).toBe(30_000)
  })

  test('after transient failures, with increasing delays', async () => {
    const { ask, seen } = await provider([{ status: 502 }, { status: 200, body: '' }, ok])
    expect(await ask()).toMatchObject({ status: 'fulfilled' })
    expect(seen.map(({ atMs }) => atMs)).toEqual([0, 500, 2500])
  })
})
