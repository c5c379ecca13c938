// An operator's command that replaces stored candles, beside a server without Redis: open charts show them without a restart.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion, type ServerMessage } from '#shared/market-data/live/contract.ts'
import { openSocket, type Watcher } from './testing/live.ts'
import { launchServer, startServer, type ServerProcess } from './testing/process.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tezi-replaced-'))
const csvDir = path.join(folder, 'csv')
const environment = {
  DATA_DIR: path.join(folder, 'data'),
  ADMIN_EMAIL: 'chief@example.in',
  ADMIN_PASSWORD: 'Monsoon-Rain-77',
  MARKET_SOURCES: 'csv',
  CSV_DIR: csvDir,
  MARKET_LICENCES: 'nse=licensed:NSE-7',
}
// Friday 20 November 2026, 09:15 in India.
const openMs = Date.parse('2026-11-20T03:45:00Z')

function writeMinutes(target: string, closes: readonly number[]): string {
  const rows = closes.map((close, index) => `${openMs + index * minuteMs},100,110,90,${close}`)
  const file = path.join(target, 'nifty.1m.csv')
  writeFileSync(file, ['time,open,high,low,close', ...rows].join('\n'))
  return file
}

let server: ServerProcess
let watcher: Watcher
beforeAll(async () => {
  mkdirSync(csvDir)
  writeMinutes(
    csvDir,
    Array.from({ length: 375 }, () => 100),
  )
  server = await startServer(environment)
  const answer = await fetch(`${server.url}${basePath}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD }),
  })
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const { data } = (await answer.json()) as { data: { sessionToken: string } }
  watcher = await openSocket(server.url.replace('http', 'ws') + basePath + livePath, { cookie })
  watcher.send({ t: 'hello', v: liveVersion, token: data.sessionToken })
  await watcher.next('ready')
})
afterAll(async () => {
  watcher.socket.terminate()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const snapshot = () => watcher.frames.findLast((frame): frame is Extract<ServerMessage, { t: 'snap' }> => frame.t === 'snap')
const closes = () => snapshot()?.candles.map(([, , , , close]) => close)

test('an open chart shows corrected candles, old and new, after `npx tezi import candles`', async () => {
  watcher.send({ t: 'sub', id: 1, slug: 'nifty', timeframe: '1', bars: 1_000 })
  await expect.poll(() => closes()?.length, { timeout: 30_000 }).toBe(375)
  const epoch = snapshot()?.epoch
  const corrected = Array.from({ length: 375 }, (_, index) => (index === 5 || index === 370 ? 105 : 100))
  const command = launchServer(environment, 'scripts/tezi.ts', ['import', 'candles', writeMinutes(folder, corrected)])
  expect(await command.ended).toBe(0)
  await expect.poll(() => snapshot()?.epoch, { timeout: 40_000 }).not.toBe(epoch)
  expect(closes()).toEqual(corrected)
})
