// A session that the server has ended: calls wait until the user signs in again or leaves.
import { listenerSet } from '#shared/base/listeners.ts'
import { session } from './browser-storage.ts'

interface EndedSession {
  /** The server's reason; empty without a particular one. */
  readonly message: string
  readonly settled: Promise<boolean>
  readonly settle: (isRestored: boolean) => void
}

let ended: EndedSession | undefined
const changed = listenerSet()

/** What the sign-in dialog reads; `message` is undefined while the session is alive. */
export const endedSession = { message: () => ended?.message, onChange: changed.add }

/** Asks for a sign-in. Resolves to true after it, here or in another tab, and to false when the user leaves instead. */
export function askForSignIn(message: string): Promise<boolean> {
  if (ended === undefined) {
    let settle: EndedSession['settle'] = () => {}
    ended = { message, settled: new Promise((resolve) => (settle = resolve)), settle: (isRestored) => settle(isRestored) }
    changed.notify()
  }
  return ended.settled
}

function settle(isRestored: boolean): void {
  ended?.settle(isRestored)
  ended = undefined
  changed.notify()
}

session.onSave(() => settle(true))
session.onClear(() => settle(false))
