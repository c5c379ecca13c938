// Signs attackers and normal users up and in, each from an address of its own.
import { createHash, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { problemSchema } from '#shared/http/api-error.ts'
import { solveChallenge, type Proof } from '#shared/http/proof.ts'
import { basePath } from '#shared/http/route.ts'
import type { Attack, Observed } from './attack.ts'

export const ownPassword = 'Abuse-Kite-42'

/** The kind of a normal user's sign-in. */
const honestSignIn = 'sign-in'
/** Each signs in a few times only, from a home of his own. */
const honestPeople = 80
/** None of them reaches the limit of successes in the three rounds of a run. */
const betweenSignInsMs = 800

export interface Answer {
  readonly status: number
  readonly cookie: string
  readonly body: unknown
}

export const newEmail = (): string => `abuse-${randomUUID()}@abuse.example`

/** Solves the challenge of a flood of sign-ups, as the page does. */
export async function signUp(address: string, from: string): Promise<{ readonly email: string; readonly password: string }> {
  const account = { email: newEmail(), password: ownPassword }
  const form = { ...account, name: 'Abuse', phone: '9876543210', confirmPassword: ownPassword }
  const send = (proof?: Proof) => call({ address, from, path: '/auth/sign-up', body: { ...form, proof } })
  const first = await send()
  const { challenge } = problemSchema.safeParse(first.body).data ?? {}
  const { status } = challenge === undefined ? first : await send(solveChallenge(challenge, sha256))
  if (status !== 201) throw new Error(`a sign-up was answered ${status}`)
  return account
}

export function signIn(address: string, from: string, account: object, proof?: Proof): Promise<Answer> {
  return call({ address, from, path: '/auth/sign-in', body: { ...account, proof } })
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

interface Call {
  readonly address: string
  readonly from: string
  readonly path: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

export function call({ address, from, path, body, headers = {} }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${address}${basePath}${path}`,
      { method: 'POST', agent: false, localAddress: from, headers: { ...headers, 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('error', reject)
        response.on('end', () => {
          const cookies = (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '')
          resolve({ status: response.statusCode ?? 0, cookie: cookies.join('; '), body: JSON.parse(text) as unknown })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(body))
  })
}

/** Normal users sign in at home, one after another. */
export async function observeSignIns({ address, note, signal }: Observed): Promise<void> {
  const homes = Array.from({ length: honestPeople }, (_, index) => `127.0.2.${index + 1}`)
  const people: { readonly home: string; readonly account: object }[] = []
  // One after another: solving a challenge blocks this process, and requests under way would be cut.
  for (const home of homes) people.push({ home, account: await signUp(address, home) })
  for (let turn = 0; !signal.aborted; turn += 1) {
    const { home = '', account = {} } = people[turn % people.length] ?? {}
    const startMs = performance.now()
    const { status } = await signIn(address, home, account)
    note(honestSignIn, status === 200 ? performance.now() - startMs : Infinity)
    await delay(betweenSignInsMs)
  }
}

/** What honest users may notice of an attack on the sign-in. */
export const honestSignInGoals: Attack['goals'] = [
  { text: 'honest sign-ins that failed', max: 0, figureOf: ({ failed }) => failed('attacked', honestSignIn) },
  {
    text: 'median of an honest sign-in, times the one without attackers',
    max: 2,
    figureOf: ({ quantile }) => quantile('attacked', honestSignIn, 0.5) / quantile('quiet', honestSignIn, 0.5),
  },
]
