// Not an attacker but a database that stops answering: first pages are read as before. Needs the built pages (`npm run build`).
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { enginePids } from '../engine-pids.ts'
import type { Attack, AttackCounts, Observed, Target } from './attack.ts'

const page = 'GET / of a visitor'

export const frozenDatabaseAttack: Attack = {
  summary: 'The embedded database does not answer; visitors open the landing page.',
  accounts: 0,
  goals: [
    { text: 'pages that failed', max: 0, figureOf: ({ failed }) => failed('attacked', page) },
    { text: 'longest page, ms', max: 1_000, figureOf: ({ quantile }) => quantile('attacked', page, 1) },
  ],
  run,
  observe,
}

async function observe({ address, note, signal }: Observed): Promise<void> {
  while (!signal.aborted) {
    const startMs = performance.now()
    const isOk = await fetch(address, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(20_000) }).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    )
    note(page, isOk ? performance.now() - startMs : Infinity)
    await delay(100)
  }
}

async function run({ dataDir, signal, begin }: Target): Promise<AttackCounts> {
  const pids = enginePids(path.join(dataDir, 'postgres', 'data'))
  if (pids.length === 0) throw new Error('this needs the embedded database, and a system that lists its processes')
  begin()
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await once(signal, 'abort')
  for (const pid of pids) process.kill(pid, 'SIGCONT')
  return { 'stopped processes': pids.length }
}
