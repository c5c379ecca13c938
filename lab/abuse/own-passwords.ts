// Own accounts that sign in with their right passwords without end.
import { setTimeout as delay } from 'node:timers/promises'
import { honestSignInGoals, observeSignIns, signIn, signUp } from './accounts.ts'
import type { Attack, AttackCounts, Target } from './attack.ts'

const accountsPerAddress = 20
const parallelPerAccount = 4

export const ownPasswordsAttack: Attack = {
  summary: 'Forty own accounts on two addresses that sign in with their right passwords, four times at once each.',
  accounts: 0,
  goals: honestSignInGoals,
  run,
  observe: observeSignIns,
}

async function run({ address, signal, begin }: Target): Promise<AttackCounts> {
  // Other addresses in each round, so that no round hits the sign-up limits of the previous one.
  const block = 10 + Math.floor(Math.random() * 200)
  const places = [`127.0.${block}.1`, `127.0.${block}.2`]
  const accounts: { readonly from: string; readonly account: object }[] = []
  for (const from of places)
    for (let count = 0; count < accountsPerAddress; count += 1) accounts.push({ from, account: await signUp(address, from) })
  begin()
  const answered = new Map<number, number>()
  const repeat = async ({ from, account }: (typeof accounts)[number]) => {
    while (!signal.aborted) {
      const { status } = await signIn(address, from, account)
      answered.set(status, (answered.get(status) ?? 0) + 1)
      if (status !== 200) await delay(20)
    }
  }
  await Promise.all(accounts.flatMap((each) => Array.from({ length: parallelPerAccount }, () => repeat(each))))
  return Object.fromEntries([...answered].map(([status, count]) => [`sign-ins answered ${status}`, count]))
}
