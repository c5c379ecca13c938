// Clients that create accounts and change them, and record every acknowledged write.
import type { WebName } from './cluster.ts'
import type { Session } from './watchers.ts'

const password = 'Chaos-proof kite 42'
const pauseMs = 50
const timeoutMs = 15_000

export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: unknown
  readonly headers: Headers
}

/** Status 0 is a broken or timed-out connection. */
export async function call(url: string, method: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: parse(text), headers: answer.headers }
  } catch {
    return { status: 0, retryAfter: null, body: undefined, headers: new Headers() }
  }
}

export async function signUp(origin: string, email: string): Promise<Answer> {
  const body = { name: 'Asha Rao', email, phone: '9876543210', password, confirmPassword: password }
  return call(`${origin}/api/v1/auth/sign-up`, 'POST', body)
}

/** @throws Error if the sign-in is rejected */
export async function openSession(origin: string, email: string): Promise<Session> {
  const answer = await call(`${origin}/api/v1/auth/sign-in`, 'POST', { email, password })
  if (answer.status !== 200) throw new Error(`sign-in of ${email} answered ${answer.status}`)
  const { sessionToken } = (answer.body as { data: { sessionToken: string } }).data
  return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '', token: sessionToken }
}

/** Generates load on one web process until `stop`. */
export class Writers {
  readonly acknowledged: string[] = []
  readonly statuses = new Map<number, number>()
  /** Responses of 5xx without a usable error. */
  readonly badAnswers: string[] = []
  #isOver = false
  #running: readonly Promise<void>[] = []

  start(origins: Readonly<Record<WebName, string>>, callers: number): void {
    const all = Object.values(origins)
    this.#running = Array.from({ length: callers }, (_, caller) => this.#write(all[caller % all.length] ?? '', caller))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #write(origin: string, caller: number): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const email = `user-${caller}-${number}@chaos.example`
      const { status, retryAfter, body } = await signUp(origin, email)
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
      if (status === 201) this.acknowledged.push(email)
      if (status >= 500 && (status !== 503 || retryAfter === null))
        this.badAnswers.push(`${status} ${JSON.stringify(body)} Retry-After: ${retryAfter}`)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
