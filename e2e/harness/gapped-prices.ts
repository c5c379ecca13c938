// Adds gaps to generated prices, as real markets have: shifts the prices of every four hours on their way to the page.
import type { Page } from '@playwright/test'
import { connectInRows } from './connect-in-rows.ts'
import { livePath, type CandleRow, type ServerMessage } from '../../shared/market-data/live/contract.ts'

const slotMs = 4 * 3_600_000
/** Successive shifts of the slots, as fractions of the price. */
const moves = [0, 0.006, -0.004, 0.003, -0.007] as const

/** Call before the page is opened. */
export async function gapPrices(page: Page): Promise<void> {
  await page.routeWebSocket(
    (url) => url.pathname.endsWith(livePath),
    (socket) => {
      connectInRows(socket).onMessage((text) => socket.send(JSON.stringify(gappedMessage(JSON.parse(String(text)) as ServerMessage))))
    },
  )
  await page.route('**/market/candles/**', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: { candles: readonly CandleRow[] } }
    await route.fulfill({ response, json: { ...rest, data: { ...data, candles: data.candles.map(gapped) } } })
  })
}

function gappedMessage(message: ServerMessage): ServerMessage {
  if (message.t === 'snap') return { ...message, candles: message.candles.map(gapped) }
  return message.t === 'upd' ? { ...message, c: message.c.map(gapped) } : message
}

function gapped([timeMs, open, high, low, close, ...volumes]: CandleRow): CandleRow {
  const factor = 1 + (moves[Math.floor(timeMs / slotMs) % moves.length] ?? 0)
  // Currencies are quoted with five digits.
  const moved = (price: number) => Number((price * factor).toFixed(price < 10 ? 5 : 2))
  return [timeMs, moved(open), moved(high), moved(low), moved(close), ...volumes]
}
