// A client of live candles on a listening test app: implements the protocol and keeps every frame.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion, serverMessageSchema, type ClientMessage, type ServerMessage } from '#shared/market-data/live/contract.ts'
import { liveText } from '#shared/market-data/text/en.ts'
import type { Browser } from './app.ts'

type MessageOf<T extends ServerMessage['t']> = Extract<ServerMessage, { t: T }>

export interface Watcher {
  readonly socket: WebSocket
  readonly frames: readonly ServerMessage[]
  /** Resolves with the code and the reason of the close frame. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  send(message: ClientMessage | string | Buffer): void
  /** The next unread frame of a kind; no snapshot which only says, when a source takes long, that it is being looked for. */
  next<T extends ServerMessage['t']>(kind: T): Promise<MessageOf<T>>
  close(): void
}

/** Listens on a free port; closed with the app. */
export async function listenForLive(app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}${basePath}${livePath}`
}

/** Opens a socket with the cookies of a browser; rejects with the status of a rejected upgrade. */
export async function openSocket(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Watcher> {
  const socket = new WebSocket(url, { headers })
  const watcher = watch(socket)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, response) => reject(new Error(`refused with ${response.statusCode}`)))
    socket.once('error', reject)
  })
  return watcher
}

/** A signed-in client, after hello and welcome. */
export async function openLive(url: string, browser: Browser): Promise<Watcher> {
  const watcher = await openSocket(url, { cookie: cookiesOf(browser) })
  watcher.send({ t: 'hello', v: liveVersion, token: browser.sessionToken ?? '' })
  await watcher.next('ready')
  return watcher
}

export function cookiesOf(browser: Browser): string {
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

const isEarly = (frame: ServerMessage): boolean => frame.t === 'snap' && frame.condition.reason === liveText.starting

function watch(socket: WebSocket): Watcher {
  const frames: ServerMessage[] = []
  const given = new Set<ServerMessage>()
  const waiting = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    frames.push(serverMessageSchema.parse(JSON.parse(data.toString())))
    for (const look of waiting) look()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  return {
    socket,
    frames,
    closed,
    send: (message) => socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message)),
    next: (kind) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = frames.find((frame) => frame.t === kind && !given.has(frame) && !isEarly(frame))
          if (found === undefined) return
          given.add(found)
          waiting.delete(look)
          resolve(found as MessageOf<typeof kind>)
        }
        waiting.add(look)
        look()
      }),
    close: () => socket.close(),
  }
}
