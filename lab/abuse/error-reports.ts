// Anonymous error reports whose stacks name the largest scripts of the build. Needs the built pages (`npm run build`).
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { basePath } from '#shared/http/route.ts'
import { attackerAddressOf, type Attack, type AttackCounts, type Target } from './attack.ts'

const reportsPerAddress = 20
const scriptsPerStack = 4
const assets = path.resolve(import.meta.dirname, '../../dist/web/assets')

export const errorReportsAttack: Attack = {
  summary: 'Twenty anonymous error reports of one address at once, whose frames name the largest scripts.',
  accounts: 0,
  environment: { TRUSTED_PROXIES: '127.0.0.1' },
  goals: [
    { text: 'rise of the memory, MB', max: 100, figureOf: ({ rssRiseMb }) => rssRiseMb },
    { text: 'p99 of GET /healthz, ms', max: 100, figureOf: ({ quantile }) => quantile('attacked', 'GET /healthz', 0.99) },
    { text: 'answers of 500 and above', max: 0, figureOf: ({ most }) => most('answers of 500 and above') },
  ],
  run,
}

async function run({ address, signal, begin }: Target): Promise<AttackCounts> {
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(path.join(assets, name))).size })))
  const largest = sizes.toSorted((one, other) => other.bytes - one.bytes).map(({ name }) => name)
  begin()
  const counts = { taken: 0, rejected: 0, 'answers of 500 and above': 0 }
  async function report(index: number): Promise<void> {
    const scripts = Array.from({ length: scriptsPerStack }, (_, frame) => largest[(index + frame) % Math.min(largest.length, 12)] ?? '')
    const answer = await fetch(`${address}${basePath}/error-reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': attackerAddressOf(0) },
      body: JSON.stringify({
        message: 'TypeError: made up',
        path: '/',
        stack: scripts.flatMap((name) => [1, 500, 5_000].map((column) => `    at x (${address}/assets/${name}:1:${column})`)).join('\n'),
      }),
      signal,
    })
    if (answer.ok) counts.taken += 1
    else if (answer.status >= 500) counts['answers of 500 and above'] += 1
    else counts.rejected += 1
  }
  await Promise.all(Array.from({ length: reportsPerAddress }, (_, index) => report(index)))
  if (!signal.aborted) await once(signal, 'abort')
  return counts
}
