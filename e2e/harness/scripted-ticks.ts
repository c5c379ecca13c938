// Test-controlled ticks on the connection to a page: the server's prices are frozen.
import type { Page, WebSocketRoute } from '@playwright/test'
import { connectInRows } from './connect-in-rows.ts'
import { livePath, type CandleRow, type ServerMessage } from '../../shared/market-data/live/contract.ts'

type Snapshot = Extract<ServerMessage, { t: 'snap' }>

export interface ScriptedTicks {
  /** The newest candle of the chart's snapshot, as the server sent it. */
  last(): CandleRow
  /** Sends the newest candle in its current state. */
  tick(row: CandleRow): void
  /** Replaces the newest candle from the next snapshot on, or restores the server's. */
  settle(row: CandleRow | undefined): void
}

/** Call before the page is opened; `topic` names the candles, such as `nifty:5`. */
export async function scriptTicks(page: Page, topic: string): Promise<ScriptedTicks> {
  let socket: WebSocketRoute | undefined
  let snapshot: Snapshot | undefined
  let sent = 0
  let settled: CandleRow | undefined
  await page.routeWebSocket(
    (url) => url.pathname.endsWith(livePath),
    (route) => {
      socket = route
      connectInRows(route).onMessage((text) => {
        const message = JSON.parse(String(text)) as ServerMessage
        // A menu of prices requests a candle or two of the same topic.
        if (message.t !== 'snap' || message.k !== topic || message.candles.length < leastBars) return route.send(text)
        snapshot = message
        sent = 0
        const candles = settled === undefined ? message.candles : [...message.candles.slice(0, -1), settled]
        route.send(JSON.stringify({ ...message, candles }))
      })
    },
  )
  return {
    last() {
      const row = snapshot?.candles.at(-1)
      if (row === undefined) throw new Error('The chart has no snapshot yet')
      return row
    },
    tick(row) {
      if (snapshot === undefined) throw new Error('The chart has no snapshot yet')
      const { k, seq } = snapshot
      const update: ServerMessage = { t: 'upd', k, p: seq + sent, q: seq + sent + 1, c: [row] }
      sent += 1
      socket?.send(JSON.stringify(update))
    },
    settle: (row) => void (settled = row),
  }
}

const leastBars = 100
