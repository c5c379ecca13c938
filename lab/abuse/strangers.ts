// Sockets without a session from one client address behind a trusted proxy, and a member behind the same address.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion } from '#shared/market-data/live/contract.ts'
import type { AbuseSession, Attack, AttackCounts, Observed, Target } from './attack.ts'

const socketsAtOnce = 1_000
const address7 = '198.51.100.7'
const memberReady = 'member behind the address is ready'
const slowMember = 'member with a round trip of 1.5 s is ready'
const slowMs = 1_500

export const strangersAttack: Attack = {
  summary: 'Silent sockets without a cookie or with a made-up one, all of one client behind a trusted proxy.',
  accounts: 0,
  environment: { TRUSTED_PROXIES: '127.0.0.1' },
  goals: [
    {
      text: 'refused or closed sockets of a member behind the same address',
      max: 0,
      figureOf: ({ failed }) => failed('attacked', memberReady),
    },
    { text: 'refused or closed sockets of a slow member', max: 0, figureOf: ({ failed }) => failed('attacked', slowMember) },
    { text: 'p99 of a member until ready, ms', max: 1_000, figureOf: ({ quantile }) => quantile('attacked', memberReady, 0.99) },
    { text: 'rise of the memory, MB', max: 100, figureOf: ({ rssRiseMb }) => rssRiseMb },
  ],
  run,
  observe,
}

async function observe({ address, note, signal, session }: Observed): Promise<void> {
  const url = address.replace(/^http/, 'ws') + basePath + livePath
  async function open(kind: string, waitMs: number): Promise<void> {
    while (!signal.aborted) {
      const startMs = performance.now()
      const isReady = await becomesReady(url, session, waitMs)
      if (!signal.aborted) note(kind, isReady ? performance.now() - startMs : Infinity)
      // A user may open three sockets a second.
      await delay(1_000)
    }
  }
  await Promise.all([open(memberReady, 0), open(slowMember, slowMs)])
}

/** Opens a socket, says hello after a wait, and resolves to whether the server took it. */
async function becomesReady(url: string, session: AbuseSession, waitMs: number): Promise<boolean> {
  const socket = new WebSocket(url, { headers: { 'x-forwarded-for': address7, cookie: session.cookie } })
  socket.on('error', () => undefined)
  const closed = new Promise<false>((resolve) => void socket.on('close', () => resolve(false)))
  const message = once(socket, 'message').then(
    () => true,
    () => false,
  )
  socket.on('open', () => {
    setTimeout(() => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ t: 'hello', v: liveVersion, token: session.token }))
    }, waitMs)
  })
  const isReady = await Promise.race([message, closed, delay(10_000, false)])
  socket.terminate()
  return isReady
}

async function run({ address, signal, begin }: Target): Promise<AttackCounts> {
  begin()
  const url = address.replace(/^http/, 'ws') + basePath + livePath
  let opened = 0
  let refused = 0
  const open = new Set<WebSocket>()

  async function hold(index: number): Promise<void> {
    const cookie = `tezi_session=${String(index).padStart(43, 'x')}`
    const headers = { 'x-forwarded-for': address7, ...(index % 2 === 0 ? { cookie } : {}) }
    while (!signal.aborted) {
      const socket = new WebSocket(url, { headers })
      socket.on('error', () => undefined)
      const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()))
      const isOpen = await Promise.race([once(socket, 'open').then(() => true), closed.then(() => false)]).catch(() => false)
      if (isOpen) {
        opened += 1
        open.add(socket)
        await Promise.race([closed, once(signal, 'abort')])
        open.delete(socket)
        socket.terminate()
      } else refused += 1
      await delay(1_000)
    }
  }

  await Promise.race([Promise.all(Array.from({ length: socketsAtOnce }, (_, index) => hold(index))), once(signal, 'abort')])
  const held = open.size
  for (const socket of open) socket.terminate()
  return { opened, refused, 'open at the end': held }
}
