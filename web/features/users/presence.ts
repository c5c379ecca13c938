// Tells the server that this tab is open, as long as somebody is signed in.
import { basePath } from '#shared/http/route.ts'
import { userRoutes } from '#shared/users/contract.ts'
import { client, headersFor } from '#web/lib/api.ts'
import { session } from '#web/lib/storage.ts'

const repeatMs = 20_000
const tabId = crypto.randomUUID()

/** Says so at once and every 20 seconds, and says goodbye when the page goes. Returns the way to stop. */
export function startPresence(): () => void {
  beat()
  const timer = setInterval(beat, repeatMs)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', comeBack)
  return () => {
    clearInterval(timer)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', comeBack)
  }
}

/** A missed beat costs nothing: the next one comes soon, and an ended session is noticed by the client itself. */
function beat(): void {
  client.users.beOnline({ body: { tabId } }).catch(() => undefined)
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

/** Back from the browser's page cache, where timers stood still. */
function comeBack(event: PageTransitionEvent): void {
  if (event.persisted) beat()
}
