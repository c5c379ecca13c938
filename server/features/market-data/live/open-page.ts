// A socket whose client is an open page: its presence, and the account's state whenever that changes.
import type { CurrentSession } from '#server/http/session.ts'
import { accountStateOf, type AccountState, type User } from '#shared/users/user.ts'
import { frameOf } from './broadcast-channel.ts'
import type { Attend } from './live-connection-port.ts'

/** Close code of a connection that ended without a close frame. */
const lostCode = 1006

export interface OpenPage {
  /** The last state that the page knows. */
  readonly account: AccountState
  /** Sends the state if it has changed. */
  update(user: User): void
  close(code: number): void
}

export function openPage(session: CurrentSession, options: { readonly send: (frame: Buffer) => void; readonly attend: Attend }): OpenPage {
  let account = accountStateOf(session.user)
  const leave = options.attend(session)
  return {
    get account() {
      return account
    },
    update(user) {
      const next = accountStateOf(user)
      if (JSON.stringify(next) === JSON.stringify(account)) return
      account = next
      options.send(frameOf({ t: 'account', account }))
    },
    close: (code) => leave(code !== lostCode),
  }
}
