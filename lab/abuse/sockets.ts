// Sockets that never read, request new snapshots all the time, and send unsolicited pongs.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion, snapshotMax } from '#shared/market-data/live/contract.ts'
import { attackerAddressOf, type AbuseSession, type Attack, type AttackCounts, type Target } from './attack.ts'

const socketsPerAccount = 12
/** Every second account sends the maximum per socket, and unsolicited pongs; the others stay below every limit. */
const kinds = [
  { messagesPerSecond: 9, pongsPerMessage: 3 },
  { messagesPerSecond: 2, pongsPerMessage: 0 },
] as const
const idsPerSocket = 30
const timeframes = ['1', '3', '5', '15', '30', '60', '120', '240', '1D'] as const

export const socketsAttack: Attack = {
  summary: 'Sockets that never read, with new subscriptions of 1,500 bars and unsolicited pongs.',
  accounts: 50,
  goals: [
    { text: 'rise of the memory, MB', max: 100, figureOf: ({ rssRiseMb }) => rssRiseMb },
    {
      text: 'worst p99 of honest users, times the one without attackers',
      max: 1.5,
      figureOf: ({ kinds: calls, quantile }) =>
        Math.max(...calls.map((kind) => quantile('attacked', kind, 0.99) / quantile('quiet', kind, 0.99))),
    },
  ],
  run,
}

async function run({ address, sessions, signal, begin }: Target): Promise<AttackCounts> {
  begin()
  const url = address.replace(/^http/, 'ws') + basePath + livePath
  const counts = { opened: 0, 'refused or failed': 0, 'subscriptions sent': 0, 'closed by the server': 0 }
  const open = new Set<WebSocket>()

  async function hold(session: AbuseSession, index: number): Promise<void> {
    const localAddress = attackerAddressOf(index)
    const kind = kinds[index % kinds.length] ?? kinds[0]
    while (!signal.aborted) {
      const socket = new WebSocket(url, { localAddress, headers: { cookie: session.cookie } })
      const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()))
      socket.on('error', () => undefined)
      const isOpen = await Promise.race([once(socket, 'open').then(() => true), closed.then(() => false)]).catch(() => false)
      if (!isOpen) {
        counts['refused or failed'] += 1
        await delay(1_000)
        continue
      }
      counts.opened += 1
      open.add(socket)
      socket.send(JSON.stringify({ t: 'hello', v: liveVersion, token: session.token }))
      await Promise.race([once(socket, 'message').catch(() => undefined), closed, delay(5_000)])
      // Nothing is read from here on.
      const raw = (socket as unknown as { _socket: Socket | null })._socket
      raw?.pause()
      raw?.on('close', () => socket.terminate())
      await Promise.race([flood(socket, kind), closed])
      open.delete(socket)
      if (!signal.aborted) counts['closed by the server'] += 1
      socket.terminate()
      await delay(200)
    }
  }

  async function flood(socket: WebSocket, { messagesPerSecond, pongsPerMessage }: (typeof kinds)[number]): Promise<void> {
    for (let count = 0; !signal.aborted && socket.readyState === socket.OPEN; count += 1) {
      const timeframe = timeframes[count % timeframes.length]
      socket.send(JSON.stringify({ t: 'sub', id: (count % idsPerSocket) + 1, slug: 'nifty', timeframe, bars: snapshotMax }))
      counts['subscriptions sent'] += 1
      for (let pong = 0; pong < pongsPerMessage; pong += 1) socket.pong()
      await delay(1_000 / messagesPerSecond)
    }
  }

  await Promise.race([
    Promise.all(sessions.flatMap((session, index) => Array.from({ length: socketsPerAccount }, () => hold(session, index)))),
    once(signal, 'abort'),
  ])
  const held = open.size
  for (const socket of open) socket.terminate()
  return { ...counts, 'open at the end': held }
}
