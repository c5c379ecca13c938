// Connections that request the maximum number of bars: half of them send endlessly, and half never read a response.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { basePath } from '#shared/http/route.ts'
import { knownTimeframes } from '#shared/candles/timeframe.ts'
import { candlesMax } from '#shared/market-data/candle-columns.ts'
import { attackerAddressOf, type AbuseSession, type Attack, type AttackCounts, type Target } from './attack.ts'

const connectionsPerAccount = 8
/** Requests sent before a connection waits: without a limit, and as many as a server may accept. */
const pipelined = { endless: 200, modest: 8 }

export const historyAttack: Attack = {
  summary: 'Pipelined calls of /candles (5,000 bars), whose answers half of the connections never read.',
  accounts: 1,
  goals: [{ text: 'p99 of GET /healthz, ms', max: 100, figureOf: ({ quantile }) => quantile('attacked', 'GET /healthz', 0.99) }],
  run,
}

async function run({ address, sessions, signal, begin }: Target): Promise<AttackCounts> {
  begin()
  const { hostname, port, host } = new URL(address)
  const counts = { connections: 0, 'requests sent': 0, 'answers 200': 0, 'answers 429': 0, 'other answers': 0, 'MB read': 0 }
  const open = new Set<Socket>()
  let turn = 0

  function requestOf({ cookie, token }: AbuseSession): string {
    turn += 1
    const timeframe = knownTimeframes[turn % knownTimeframes.length] ?? '1'
    // A different end each time, to bypass response caches.
    const toMs = Date.now() - turn * 60_000
    const path = `${basePath}/market/candles/nifty?timeframe=${timeframe}&limit=${candlesMax}&to=${toMs}`
    return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nSession-Token: ${token}\r\n\r\n`
  }

  async function hold(session: AbuseSession, index: number): Promise<void> {
    const isReading = index % 2 === 0
    const depth = index % 4 < 2 ? pipelined.endless : pipelined.modest
    while (!signal.aborted) {
      const socket = connect({ port: Number(port), host: hostname, localAddress: attackerAddressOf(0) })
      socket.on('error', () => undefined)
      const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()))
      counts.connections += 1
      open.add(socket)
      const answers = { count: 0 }
      if (isReading) socket.on('data', (data: Buffer) => (answers.count += count(data)))
      while (!signal.aborted && !socket.destroyed) {
        const batch = Array.from({ length: depth }, () => requestOf(session)).join('')
        counts['requests sent'] += depth
        answers.count = 0
        if (!socket.write(batch)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
        await delay(20)
        const isDue = (): boolean => depth === pipelined.endless || answers.count >= depth || signal.aborted || socket.destroyed
        while (!isDue()) await delay(20)
      }
      open.delete(socket)
      await delay(100)
    }
  }

  function count(data: Buffer): number {
    counts['MB read'] += data.length / 1_048_576
    const answers = [...data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    for (const [, status] of answers) {
      if (status === '200') counts['answers 200'] += 1
      else if (status === '429') counts['answers 429'] += 1
      else counts['other answers'] += 1
    }
    return answers.length
  }

  await Promise.race([
    Promise.all(sessions.flatMap((session) => Array.from({ length: connectionsPerAccount }, (_, index) => hold(session, index)))),
    once(signal, 'abort'),
  ])
  for (const socket of open) socket.destroy()
  return { ...counts, 'MB read': Math.round(counts['MB read']) }
}
