// Keeps a signed-in page present and its account up to date: over the live connection, and by heartbeats where there is none.
import { basePath } from '#shared/http/route.ts'
import { presenceRoutes } from '#shared/presence/contract.ts'
import type { AccountState } from '#shared/users/user.ts'
import { call, headersFor } from '#web/lib/api.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import { session } from '#web/lib/browser-storage.ts'

/** Minimum interval between heartbeats. */
const repeatMs = 60_000
/** How long the live connection may take before a heartbeat replaces it. */
const graceMs = 3_000
/** The server notes new pages once a second. */
const arrivalMs = 2_000
/** A sign-out of this browser is known here within this time, and its ended session needs no question. */
const signOutMs = 1_000

export interface PresenceOptions {
  /** Follows the account over the live connection, which counts as presence. */
  readonly watchAccount: (listener: { account(account: AccountState): void; lost(): void; ended(): void }) => () => void
  readonly receive: (account: AccountState) => void
  /** Called once: from now on the server counts this page as online. */
  readonly onOnline: () => void
  /** Reads the user again: the page is looked at, and nothing has followed the account meanwhile. */
  readonly refetch: () => void
}

/** Runs until the returned function is called. A heartbeat is sent only without a live connection, at most once a minute. */
export function startPresence({ watchAccount, receive, onOnline, refetch }: PresenceOptions): () => void {
  let tabId = randomUuid()
  /** Whether the server knows this tab by a heartbeat. */
  let isKnown = false
  let isConnected = false
  let arrival: ReturnType<typeof setTimeout> | undefined
  let lastMs = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  const beatIn = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(beat, Math.max(delayMs, lastMs + repeatMs - performance.now()))
  }
  const handleAccount = (account: AccountState) => {
    arrival ??= setTimeout(onOnline, arrivalMs)
    receive(account)
  }
  function beat(): void {
    lastMs = performance.now()
    isKnown = true
    sendBeat(tabId, handleAccount)
    beatIn(repeatMs)
  }
  const onVisible = () => {
    if (document.visibilityState !== 'visible' || isConnected) return
    refetch()
    beatIn(0)
  }
  /** Restored from the back/forward cache; the server no longer counts the tab that has left. */
  const onPageShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    tabId = randomUuid()
    isKnown = false
    lastMs = -Infinity
    if (!isConnected) beatIn(0)
  }
  const onPageHide = () => (isKnown ? sendGoodbye(tabId) : undefined)
  beatIn(graceMs)
  const stopWatching = watchAccount({
    account(account) {
      isConnected = true
      clearTimeout(timer)
      handleAccount(account)
    },
    lost() {
      isConnected = false
      beatIn(graceMs)
    },
    ended: () => beatIn(signOutMs),
  })
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('pagehide', onPageHide, { signal })
  window.addEventListener('pageshow', onPageShow, { signal })
  window.addEventListener('focus', onVisible, { signal })
  document.addEventListener('visibilitychange', onVisible, { signal })
  return () => {
    clearTimeout(timer)
    clearTimeout(arrival)
    stopWatching()
    listening.abort()
  }
}

/** A missed heartbeat is harmless: the next one follows soon, and the client detects an ended session itself. */
function sendBeat(tabId: string, receive: (account: AccountState) => void): void {
  call(presenceRoutes.beOnline, { body: { tabId } }).then(
    ({ data }) => receive(data),
    () => undefined,
  )
}

/** The page is closing: only a keepalive request still arrives. A live connection ends by itself. */
function sendGoodbye(tabId: string): void {
  const body = { tabId }
  const { method, path } = presenceRoutes.beGone
  fetch(basePath + path, {
    method,
    credentials: 'same-origin',
    keepalive: true,
    headers: headersFor({ method, body }, session.token()),
    body: JSON.stringify(body),
  }).catch(() => undefined)
}
