// Free accounts that confirm their own password endlessly, and failed sign-ins of many users behind one address.
import { setTimeout as delay } from 'node:timers/promises'
import { problemSchema } from '#shared/http/api-error.ts'
import { solveChallenge } from '#shared/http/proof.ts'
import { call, honestSignInGoals, newEmail, observeSignIns, ownPassword as password, sha256, signIn, signUp } from './accounts.ts'
import type { Attack, AttackCounts, Target } from './attack.ts'

const parallelPerAccount = 16
const accountsSignedUp = 10
const turnedAway = 'newcomers turned away'
/** In the network shared by attackers and newcomers. */
const sharedNetwork = '127.0.3.1'

export const signInAttack: Attack = {
  summary: 'Confirmations of the own password, 16 at once per account, and wrong sign-ins behind a shared address.',
  accounts: 0,
  goals: [
    ...honestSignInGoals,
    { text: 'newcomers behind the shared address turned away', max: 0, figureOf: ({ most }) => most(turnedAway) },
  ],
  run,
  observe: observeSignIns,
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
