// Live clients for lab/bench/fanout.ts: they subscribe and record when each frame arrives.
import { readFileSync } from 'node:fs'
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import type { BenchSession } from './many-sessions.ts'
import { benchSeries } from './fanout-series.ts'
import { livePath, liveVersion } from '#shared/market-data/live/contract.ts'

const [kind = '', port = '', count = '', instruments = '1', sessionsFile = ''] = process.argv.slice(2)
/** Of the users of this process; the bare server asks for none. */
const sessions = kind === 'bare' ? [] : (JSON.parse(readFileSync(sessionsFile, 'utf8')) as BenchSession[])
const arrivals: [string, number][] = []
/** Concurrent connection attempts that a server handles easily. */
const openAtOnce = 100

let opened = 0

async function open(number = opened++): Promise<void> {
  const held = sessions[number]
  const slug = benchSeries[number % Number(instruments)] ?? 'nifty'
  const socket = new WebSocket(`ws://127.0.0.1:${port}${basePath}${livePath}?${slug}`, {
    headers: { cookie: `tezi_session=${held?.cookie ?? ''}` },
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    // A busy server sends a client away that is late with its hello; it comes back, as a page does.
    socket.on('close', () => resolve(open(number)))
    socket.on('open', () => {
      if (kind === 'bare') resolve()
      else socket.send(JSON.stringify({ t: 'hello', v: liveVersion, token: held?.sessionToken ?? '', isPage: true }))
    })
    socket.on('message', (data: Buffer) => {
      const atMs = performance.timeOrigin + performance.now()
      const text = data.toString('latin1')
      if (text.startsWith('{"t":"upd"')) arrivals.push([/"q":(\d+)/.exec(text)?.[1] ?? '', atMs])
      else if (text.startsWith('{"t":"ready"'))
        socket.send(JSON.stringify({ t: 'sub', id: 1, slug, timeframe: '1', bars: 1_500, form: 'columns' }))
      else if (text.startsWith('{"t":"snap"')) resolve()
    })
  })
}

while (opened < Number(count)) await Promise.all(Array.from({ length: Math.min(openAtOnce, Number(count) - opened) }, () => open()))
process.send?.({ isOpen: true })
process.on('message', () => process.send?.({ arrivals }))
