// Unauthenticated sockets from one client address behind a trusted proxy.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { livePath } from '#shared/market-data/live.ts'
import type { Attack, AttackCounts, Observed, Target } from './attack.ts'

const socketsAtOnce = 1_000
const silentSocket = 'life of a silent socket'
const admittedPerSecond = 'admitted per second'

export const strangersAttack: Attack = {
  summary: 'Sockets without a hello, all of one client behind a trusted proxy.',
  accounts: 0,
  environment: { TRUSTED_PROXIES: '127.0.0.1' },
  goals: [
    // Sixty at a time, and each lasts for a second. The number of open ones cannot be measured from outside: the busy client
    // receives the closes of old ones after the opens of new ones.
    { text: 'sockets without a hello of one client admitted per second', max: 60, figureOf: ({ most }) => most(admittedPerSecond) },
    // The second itself, plus one turn of timers, kernel and client.
    { text: 'p99 of the life of a silent socket, ms', max: 1_100, figureOf: ({ quantile }) => quantile('attacked', silentSocket, 0.99) },
  ],
  run,
  observe,
}

/** Silent sockets in sequence from a separate address: the attackers' own process is too busy to time theirs. */
async function observe({ address, note, signal }: Observed): Promise<void> {
  const url = address.replace(/^http/, 'ws') + basePath + livePath
  while (!signal.aborted) {
    const socket = new WebSocket(url, { headers: { 'x-forwarded-for': '198.51.100.8' } })
    socket.on('error', () => undefined)
    const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()))
    const isOpen = await Promise.race([once(socket, 'open').then(() => true), closed.then(() => false)]).catch(() => false)
    const startMs = performance.now()
    await Promise.race([closed, delay(10_000)])
    if (!signal.aborted) note(silentSocket, isOpen ? performance.now() - startMs : Infinity)
    socket.terminate()
    await delay(100)
  }
}

async function run({ address, signal, begin }: Target): Promise<AttackCounts> {
  begin()
  const url = address.replace(/^http/, 'ws') + basePath + livePath
  const beginMs = performance.now()
  let opened = 0
  let refused = 0
  const open = new Set<WebSocket>()
  const livedMs: number[] = []

  async function hold(): Promise<void> {
    while (!signal.aborted) {
      const socket = new WebSocket(url, { headers: { 'x-forwarded-for': '198.51.100.7' } })
      socket.on('error', () => undefined)
      const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()))
      const isOpen = await Promise.race([once(socket, 'open').then(() => true), closed.then(() => false)]).catch(() => false)
      if (isOpen) {
        const startMs = performance.now()
        opened += 1
        open.add(socket)
        await Promise.race([closed, once(signal, 'abort')])
        open.delete(socket)
        if (!signal.aborted) livedMs.push(performance.now() - startMs)
        socket.terminate()
      } else refused += 1
      await delay(1_000)
    }
  }

  await Promise.race([Promise.all(Array.from({ length: socketsAtOnce }, hold)), once(signal, 'abort')])
  const held = open.size
  for (const socket of open) socket.terminate()
  return {
    opened,
    refused,
    [admittedPerSecond]: Math.round(opened / ((performance.now() - beginMs) / 1_000)),
    'open at the end': held,
    'longest life of a closed one, ms, as its busy client saw it': Math.round(Math.max(0, ...livedMs)),
  }
}
