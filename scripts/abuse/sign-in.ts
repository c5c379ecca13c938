// Free accounts that confirm their own password endlessly, and failed sign-ins of many users behind one address.
import { createHash, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { problemSchema } from '#shared/http/errors.ts'
import { solveChallenge, type Proof } from '#shared/http/proof-of-work.ts'
import { basePath } from '#shared/http/route.ts'
import type { Attack, AttackCounts, Observed, Target } from './attack.ts'

const password = 'Abuse-Kite-42'
const parallelPerAccount = 16
const accountsSignedUp = 10
const honestSignIn = 'sign-in'
const turnedAway = 'newcomers turned away'
/** Several normal users, each at home: a single one would reach the daily session limit. */
const homes = ['127.0.2.1', '127.0.2.2', '127.0.2.3', '127.0.2.4', '127.0.2.5'] as const
/** In the network shared by attackers and newcomers. */
const sharedNetwork = '127.0.3.1'

export const signInAttack: Attack = {
  summary: 'Confirmations of the own password, 16 at once per account, and wrong sign-ins behind a shared address.',
  accounts: 0,
  goals: [
    { text: 'honest sign-ins that failed', max: 0, figureOf: ({ failed }) => failed('attacked', honestSignIn) },
    {
      text: 'median of an honest sign-in, times the one without attackers',
      max: 2,
      figureOf: ({ quantile }) => quantile('attacked', honestSignIn, 0.5) / quantile('quiet', honestSignIn, 0.5),
    },
    { text: 'newcomers behind the shared address turned away', max: 0, figureOf: ({ most }) => most(turnedAway) },
  ],
  run,
  observe,
}

interface Answer {
  readonly status: number
  readonly cookie: string
  readonly body: unknown
}

async function run({ address, signal, begin }: Target): Promise<AttackCounts> {
  // Other addresses in each round, so that no round hits the sign-up limits of the previous one.
  const block = 10 + Math.floor(Math.random() * 200)
  const newcomers = await Promise.all(Array.from({ length: 2 }, () => signUp(address, `127.0.${block}.100`)))
  const sessions = await Promise.all(
    Array.from({ length: accountsSignedUp }, async (_, index) => {
      // Linux accepts all of 127.0.0.0/8.
      const from = `127.0.${block}.${index + 1}`
      const { cookie, body } = await signIn(address, from, await signUp(address, from))
      const { data } = body as { data: { sessionToken: string } }
      return { from, headers: { cookie, 'session-token': data.sessionToken } }
    }),
  )

  begin()
  const confirmed = new Map<number, number>()
  const confirm = async (session: (typeof sessions)[number]) => {
    const { from } = session
    while (!signal.aborted) {
      const { status, cookie } = await call({ address, from, path: '/auth/confirm', body: { password }, headers: session.headers })
      // Each confirmation brings a new one.
      if (status === 200) session.headers = { ...session.headers, cookie }
      confirmed.set(status, (confirmed.get(status) ?? 0) + 1)
      if (status === 429) await delay(20)
    }
  }
  const confirming = sessions.flatMap((session) => Array.from({ length: parallelPerAccount }, () => confirm(session)))

  await Promise.all(Array.from({ length: 20 }, () => signIn(address, sharedNetwork, { email: newEmail(), password: 'wrong' })))
  const comeIn = async (newcomer: object) => {
    const answer = await signIn(address, sharedNetwork, newcomer)
    const { challenge } = problemSchema.safeParse(answer.body).data ?? {}
    return challenge === undefined ? answer : signIn(address, sharedNetwork, newcomer, solveChallenge(challenge, sha256))
  }
  const answers = await Promise.all(newcomers.map(comeIn))
  await Promise.all(confirming)
  return {
    ...Object.fromEntries([...confirmed].map(([status, count]) => [`confirmations answered ${status}`, count])),
    'newcomers behind the shared address': newcomers.length,
    [turnedAway]: answers.filter(({ status }) => status !== 200).length,
  }
}

/** Normal users sign in at home, one after another. */
async function observe({ address, note, signal }: Observed): Promise<void> {
  const people = await Promise.all(homes.map(async (home) => ({ home, account: await signUp(address, home) })))
  for (let turn = 0; !signal.aborted; turn += 1) {
    const { home = '', account = {} } = people[turn % people.length] ?? {}
    const startMs = performance.now()
    const { status } = await signIn(address, home, account)
    note(honestSignIn, status === 200 ? performance.now() - startMs : Infinity)
    await delay(200)
  }
}

const newEmail = (): string => `abuse-${randomUUID()}@abuse.example`

async function signUp(address: string, from: string): Promise<{ readonly email: string; readonly password: string }> {
  const account = { email: newEmail(), password }
  await call({ address, from, path: '/auth/sign-up', body: { ...account, name: 'Abuse', phone: '9876543210', confirmPassword: password } })
  return account
}

function signIn(address: string, from: string, account: object, proof?: Proof): Promise<Answer> {
  return call({ address, from, path: '/auth/sign-in', body: { ...account, proof } })
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

interface Call {
  readonly address: string
  readonly from: string
  readonly path: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

function call({ address, from, path, body, headers = {} }: Call): Promise<Answer> {
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
