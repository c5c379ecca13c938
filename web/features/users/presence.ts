// Tells the server that this tab is open, as long as somebody is signed in.
import { basePath } from '#shared/http/route.ts'
import { userRoutes, type Pulse } from '#shared/users/contract.ts'
import { client, headersFor } from '#web/lib/api.ts'
import { session } from '#web/lib/storage.ts'

const repeatMs = 10_000
let tabId = crypto.randomUUID()

/**
 * Says so at once, every 10 seconds and whenever the page is looked at again, and says goodbye when it goes. Each answer,
 * which tells what the subscription has become, goes to `hear`. Returns the way to stop.
 */
export function startPresence(hear: (pulse: Pulse) => void): () => void {
  const beat = () => sendBeat(hear)
  const look = () => void (document.visibilityState === 'visible' && beat())
  /** Back from the browser's page cache; the server counts the tab that has left no more. */
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

/** A missed beat costs nothing: the next one comes soon, and an ended session is noticed by the client itself. */
function sendBeat(hear: (pulse: Pulse) => void): void {
  client.users.beOnline({ body: { tabId } }).then(
    ({ data }) => hear(data),
    () => undefined,
  )
}

/** The page is going: only a request that outlives it arrives. */
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
