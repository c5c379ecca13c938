// Opens the live connection before the code that uses it has loaded, and says hello on it.
import { basePath } from '#shared/http/route.ts'
import { helloOf, livePath } from '#shared/market-data/live/protocol.ts'
import { session } from '#web/lib/browser-storage.ts'

/** A page that has not used the connection by then does not need it now. */
const keepMs = 30_000

interface EarlySocket {
  readonly url: string
  readonly token: string
  readonly hello: string
  readonly socket: WebSocket
  /** Messages so far. */
  readonly received: unknown[]
  readonly stop: () => void
}

let early: EarlySocket | undefined

export function openEarlySocket(origin: string, token: string): void {
  const url = origin.replace(/^http/, 'ws') + basePath + livePath
  const socket = new WebSocket(url)
  const hello = JSON.stringify(helloOf(token))
  const received: unknown[] = []
  const keep = ({ data }: MessageEvent<unknown>) => void received.push(data)
  const sayHello = (): void => socket.send(hello)
  socket.addEventListener('open', sayHello)
  socket.addEventListener('message', keep)
  const timer = setTimeout(() => takeEarlySocket(url)?.close(), keepMs)
  const stop = (): void => {
    clearTimeout(timer)
    socket.removeEventListener('open', sayHello)
    socket.removeEventListener('message', keep)
  }
  early = { url, token, hello, socket, received, stop }
}

/**
 * The connection to this URL, once, unless it or its session has ended. It repeats to the caller's listeners what has happened so far,
 * after the caller has added them, and does not send the hello twice.
 */
export function takeEarlySocket(url: string): WebSocket | undefined {
  const taken = early?.url === url ? early : undefined
  if (taken === undefined) return undefined
  early = undefined
  const { socket, token, hello, received, stop } = taken
  stop()
  if (token !== session.token()) socket.close()
  if (socket.readyState > WebSocket.OPEN) return undefined
  if (socket.readyState === WebSocket.CONNECTING) return socket
  const send = socket.send.bind(socket)
  socket.send = (data) => {
    if (data !== hello) send(data)
  }
  queueMicrotask(() => {
    socket.dispatchEvent(new Event('open'))
    for (const data of received) socket.dispatchEvent(new MessageEvent('message', { data }))
  })
  return socket
}
