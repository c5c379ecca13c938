// Attacks a real server process while normal users work, and prints the costs and whether the targets are met.
// Run: npx node lab/abuse.ts NAME [--rounds 3] [--seconds 20] [--accounts N] [--rss-max 3000]; DATABASE_URL uses that
// database. Takes about three minutes; exits with 1 if a target is missed.
// An attack is a file in lab/abuse/ that is listed in `attacks`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Attack, AttackCounts, Target } from './abuse/attack.ts'
import { frozenDatabaseAttack } from './abuse/frozen-database.ts'
import { historyAttack } from './abuse/history.ts'
import { startHonestUsers, type HonestUsers } from './abuse/honest-users.ts'
import { errorReportsAttack } from './abuse/error-reports.ts'
import { ownFeedAttack } from './abuse/own-feed.ts'
import { ownPasswordsAttack } from './abuse/own-passwords.ts'
import { report, type Round } from './abuse/report.ts'
import { signInAttack } from './abuse/sign-in.ts'
import { socketsAttack } from './abuse/sockets.ts'
import { strangersAttack } from './abuse/strangers.ts'
import { cpuMsOf, openWorld, rssMbOf, type World } from './abuse/world.ts'

const attacks: Readonly<Record<string, Attack>> = {
  sockets: socketsAttack,
  history: historyAttack,
  strangers: strangersAttack,
  'sign-in': signInAttack,
  'own-passwords': ownPasswordsAttack,
  'own-feed': ownFeedAttack,
  'error-reports': errorReportsAttack,
  'frozen-database': frozenDatabaseAttack,
}

const honestUsers = 10
const lowestPriority = 19
/** Excludes one-time compiling and caching, and leftovers of the previous round, from the figures. */
const settleMs = 4_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Duration of each half of a round. */
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    /** Folder for a CPU profile of the server. */
    profile: { type: 'string' },
    accounts: { type: 'string' },
    /** Memory limit of the server in megabytes that ends the attack early, to protect the machine. */
    'rss-max': { type: 'string', default: '3000' },
  },
})
const [name = ''] = positionals
const attack = attacks[name]
if (attack === undefined) {
  console.log(
    Object.entries(attacks)
      .map(([each, { summary }]) => `${each.padEnd(12)}${summary}`)
      .join('\n'),
  )
  process.exit(2)
}
if (process.send === undefined) process.exitCode = (await measure(attack)) ? 0 : 1
else await attackFromHere(attack)

/** Lower CPU priority for the attackers than for the server and the measured users. */
async function attackFromHere(chosen: Attack): Promise<void> {
  setPriority(lowestPriority)
  const [target] = (await once(process, 'message')) as [Omit<Target, 'signal' | 'begin'>]
  const end = new AbortController()
  process.once('message', () => end.abort())
  const counts = await chosen.run({ ...target, signal: end.signal, begin: () => void process.send?.('begins') })
  process.send?.(counts, () => process.exit())
}

async function measure(chosen: Attack): Promise<boolean> {
  const { accounts, hasPremium, environment = {}, summary } = chosen
  const profiling = values.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` }
  const world = await openWorld({
    attackers: Number(values.accounts ?? accounts),
    honest: honestUsers,
    ...(hasPremium === undefined ? {} : { hasPremium }),
    environment: { RATE_LIMITS: 'on', MARKET_SOURCES: 'none', ...profiling, ...environment },
  })
  try {
    const honest = await startHonestUsers(world.address, world.honest, chosen.observe)
    const rounds: Round[] = []
    for (let number = 1; number <= Number(values.rounds); number += 1) {
      rounds.push(await runRound(world, honest))
      console.log(`${clockTime()} round ${number} of ${values.rounds} is over`)
    }
    await honest.stop()
    console.log(`${name}: ${summary} ${values.accounts ?? accounts} accounts, ${values.rounds} rounds of ${values.seconds} s each way`)
    return report(chosen, rounds)
  } finally {
    await world.close()
  }
}

/** Equal durations without and with attackers, so that other work on the machine affects both. */
async function runRound(world: World, honest: HonestUsers): Promise<Round> {
  const phaseMs = Number(values.seconds) * 1_000
  await delay(settleMs)
  honest.take()
  const quietCpu = cpuShare(world.pid)
  await delay(phaseMs)
  const quiet = honest.take()
  const quietShare = await quietCpu()
  const quietMb = await rssMbOf(world.pid)

  const attackers = fork(import.meta.filename, [name])
  attackers.send({ address: world.address, dataDir: world.dataDir, sessions: world.attackers })
  // On a busy machine its start takes long, and earlier measurements do not reflect the attack.
  await once(attackers, 'message')
  honest.take()
  const attackedCpu = cpuShare(world.pid)
  let peakMb = 0
  const endMs = performance.now() + phaseMs
  let isCut = false
  while (performance.now() < endMs && !isCut) {
    await delay(200)
    peakMb = Math.max(peakMb, await rssMbOf(world.pid))
    isCut = peakMb > Number(values['rss-max'])
  }
  const attacked = honest.take()
  const attackedShare = await attackedCpu()
  const counted = once(attackers, 'message') as Promise<[AttackCounts]>
  attackers.send('end')
  const [counts] = await Promise.race([counted, delay(20_000, [{ 'attackers ended': 'no' }] as [AttackCounts])])
  attackers.kill('SIGKILL')
  return {
    quiet,
    attacked,
    processor: { quiet: quietShare, attacked: attackedShare },
    rssMb: { quiet: quietMb, attacked: peakMb },
    counts,
    isCut,
  }
}

/** Starts measuring; returns the server's CPU usage since then, in percent of one core. */
function cpuShare(pid: number): () => Promise<number> {
  const startMs = performance.now()
  const begun = cpuMsOf(pid)
  return async () => (((await cpuMsOf(pid)) - (await begun)) / (performance.now() - startMs)) * 100
}

function clockTime(): string {
  return new Date().toISOString().slice(11, 19)
}
