// Sockets whose user is not known yet: the cookie is verified first, strangers are evicted, and a hello has a deadline.
import { closeCodes } from '#shared/market-data/live/protocol.ts'
import type { PlainCode } from '#shared/messages/message.ts'

/** Sockets without a cookie per IP address; a whole company may share one. */
const strangersPerAddressMax = 60
/** Sockets whose cookie is not verified yet, which takes milliseconds: a burst must not evict members. */
const unverifiedPerAddressMax = 1_000
/** Twice the sockets of a user. */
const waitingPerCookieMax = 24
/** Rounds for a hello, and then again for the lookup of its session. */
const roundsMax = 10

export interface WaitingSocket {
  /** Closes it with a reason. */
  end(code: number, reason: PlainCode): void
  /** Closes it without waiting for an answer. */
  terminate(): void
}

export interface SocketClient {
  /** The session's cookie. */
  readonly cookie: string | undefined
  readonly address: string
}

interface Entry extends SocketClient {
  readonly socket: WaitingSocket
  rounds: number
  hasHello: boolean
}

export interface PendingSocket {
  /** The time starts again, for the lookup of the session. */
  helloReceived(): void
  /** The user is known, or the socket is closed. */
  end(): void
}

export interface WaitingSocketsOptions {
  /** Whether a living session has this cookie. */
  readonly isKnown: (cookie: string) => Promise<boolean>
  readonly onError: (error: unknown) => void
}

export class WaitingSockets {
  readonly #options: WaitingSocketsOptions
  readonly #entries = new Set<Entry>()
  readonly #byCookie = new Map<string, number>()
  /** Without a cookie, or with one that is not known to belong to a session. */
  readonly #strangers = new Map<string, Set<Entry>>()

  constructor(options: WaitingSocketsOptions) {
    this.#options = options
  }

  /** Whether one more may open: with a cookie it is not counted with the strangers of its address. */
  mayOpen({ cookie, address }: SocketClient): boolean {
    if (cookie !== undefined) return (this.#byCookie.get(cookie) ?? 0) < waitingPerCookieMax
    return (this.#strangers.get(address)?.size ?? 0) < strangersPerAddressMax
  }

  /** Closes the stranger that has waited longest; false if there is none. */
  evictStranger(): boolean {
    const [oldest] = this.#strangers.values().flatMap((some) => some)
    if (oldest !== undefined) this.#terminate(oldest)
    return oldest !== undefined
  }

  add(socket: WaitingSocket, client: SocketClient): PendingSocket {
    const { cookie, address } = client
    const entry: Entry = { ...client, socket, rounds: 0, hasHello: false }
    this.#entries.add(entry)
    if (cookie !== undefined) this.#byCookie.set(cookie, (this.#byCookie.get(cookie) ?? 0) + 1)
    const strangers = this.#strangers.get(address) ?? new Set()
    this.#strangers.set(address, strangers.add(entry))
    const [oldest] = strangers
    if (strangers.size > unverifiedPerAddressMax && oldest !== undefined) this.#terminate(oldest)
    if (cookie === undefined) rejectStranger(entry)
    // Without a database the hello is answered so.
    else this.#verify(entry, cookie).catch(this.#options.onError)
    return { helloReceived: () => Object.assign(entry, { rounds: 0, hasHello: true }), end: () => this.#end(entry) }
  }

  /** Call once a second. Rounds and not times: while the process is blocked, no hello can be read and no round passes. */
  round(): void {
    for (const entry of this.#entries) {
      entry.rounds += 1
      if (entry.rounds <= roundsMax) continue
      this.#end(entry)
      if (entry.hasHello) entry.socket.end(closeCodes.busy, 'http.busy')
      else {
        entry.socket.end(closeCodes.noHello, 'live.noHello')
        // A silent client must not occupy a slot.
        entry.socket.terminate()
      }
    }
  }

  async #verify(entry: Entry, cookie: string): Promise<void> {
    const isKnown = await this.#options.isKnown(cookie)
    if (!this.#entries.has(entry)) return
    if (isKnown) this.#forgetStranger(entry)
    else rejectStranger(entry)
  }

  #terminate(entry: Entry): void {
    this.#end(entry)
    entry.socket.terminate()
  }

  #end(entry: Entry): void {
    if (!this.#entries.delete(entry)) return
    this.#forgetStranger(entry)
    if (entry.cookie === undefined) return
    const left = (this.#byCookie.get(entry.cookie) ?? 1) - 1
    if (left > 0) this.#byCookie.set(entry.cookie, left)
    else this.#byCookie.delete(entry.cookie)
  }

  #forgetStranger(entry: Entry): void {
    const strangers = this.#strangers.get(entry.address)
    strangers?.delete(entry)
    if (strangers?.size === 0) this.#strangers.delete(entry.address)
  }
}

/** The answer that its hello would get. */
function rejectStranger({ socket }: Entry): void {
  socket.end(closeCodes.session, 'auth.sessionMissing')
}
