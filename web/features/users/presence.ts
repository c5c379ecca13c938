// Sends presence heartbeats while a user is signed in.
import { basePath } from '#shared/http/route.ts'
import { userRoutes, type Pulse } from '#shared/users/contract.ts'
import { client, headersFor } from '#web/lib/api.ts'
import { session } from '#web/lib/storage.ts'

const repeatMs = 10_000
let tabId = crypto.randomUUID()

/**
 * Sends one at once, every 10 seconds and whenever the page becomes visible, and a goodbye when it closes. Each response,
 * which includes the subscription status, is passed to the callback. Returns a stop function.
 */
export function startPresence(receive: (pulse: Pulse) => void): () => void {
  const beat = () => sendBeat(receive)
  const look = () => void (document.visibilityState === 'visible' && beat())
  /** Restored from the back/forward cache; the server no longer counts the tab that has left. */
  const comeBack = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    tabId = crypto.randomUUID()
    beat()
  }
  beat()
  const timer = setInterval(beat, repeatMs)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', comeBack)
  window.addEventListener('focus', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', comeBack)
    window.removeEventListener('focus', look)
    document.removeEventListener('visibilitychange', look)
  }
}

/** A missed heartbeat is harmless: the next one follows soon, and the client detects an ended session itself. */
function sendBeat(receive: (pulse: Pulse) => void): void {
  client.users.beOnline({ body: { tabId } }).then(
    ({ data }) => receive(data),
    () => undefined,
  )
}

/** The page is closing: only a keepalive request still arrives. */
function leave(): void {
  const body = { tabId }
  const { method, path } = userRoutes.beGone
  fetch(basePath + path, {
    method,
    credentials: 'same-origin',
    keepalive: true,
    headers: headersFor({ method, body }, session.token()),
    body: JSON.stringify(body),
  }).catch(() => undefined)
}
