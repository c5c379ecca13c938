// Sockets whose user is not known yet: the cookie is judged first, strangers give way, and a hello has a deadline.
import { closeCodes } from '#shared/market-data/live/protocol.ts'
import type { PlainCode } from '#shared/text/messages.ts'

/** Sockets without a cookie per IP address; a whole company may share one. */
const strangersPerAddressMax = 60
/** Sockets whose cookie is not judged yet, which takes milliseconds: a member must not lose its place to a burst before. */
const unjudgedPerAddressMax = 1_000
/** Twice the sockets of a user. */
const waitingPerCookieMax = 24
/** Rounds for a hello, and then again for the lookup of its session. */
const roundsMax = 10

export interface WaitingSocket {
  /** Closes it with a reason. */
  end(code: number, reason: PlainCode): void
  /** Closes it without waiting for an answer. */
  cut(): void
}

export interface Visit {
  /** The session's cookie. */
  readonly cookie: string | undefined
  readonly address: string
}

interface Entry extends Visit {
  readonly socket: WaitingSocket
  rounds: number
  hasGreeted: boolean
}

export interface Wait {
  /** The time starts again, for the lookup of the session. */
  greeted(): void
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

  /** Whether one more may open. Whoever has a cookie is not counted with the strangers of the address, but judged. */
  mayOpen({ cookie, address }: Visit): boolean {
    if (cookie !== undefined) return (this.#byCookie.get(cookie) ?? 0) < waitingPerCookieMax
    return (this.#strangers.get(address)?.size ?? 0) < strangersPerAddressMax
  }

  /** Closes the stranger that has waited longest; false if there is none. */
  makeRoom(): boolean {
    const [oldest] = this.#strangers.values().flatMap((some) => some)
    if (oldest !== undefined) this.#cut(oldest)
    return oldest !== undefined
  }

  add(socket: WaitingSocket, visit: Visit): Wait {
    const { cookie, address } = visit
    const entry: Entry = { ...visit, socket, rounds: 0, hasGreeted: false }
    this.#entries.add(entry)
    if (cookie !== undefined) this.#byCookie.set(cookie, (this.#byCookie.get(cookie) ?? 0) + 1)
    const strangers = this.#strangers.get(address) ?? new Set()
    this.#strangers.set(address, strangers.add(entry))
    const [oldest] = strangers
    if (strangers.size > unjudgedPerAddressMax && oldest !== undefined) this.#cut(oldest)
    if (cookie === undefined) turnAway(entry)
    // Without a database the hello is answered so.
    else this.#judge(entry, cookie).catch(this.#options.onError)
    return { greeted: () => Object.assign(entry, { rounds: 0, hasGreeted: true }), end: () => this.#end(entry) }
  }

  /** Call once a second. Rounds and not times: while the process is blocked, no hello can be read and no round passes. */
  round(): void {
    for (const entry of this.#entries) {
      entry.rounds += 1
      if (entry.rounds <= roundsMax) continue
      this.#end(entry)
      if (entry.hasGreeted) entry.socket.end(closeCodes.busy, 'http.busy')
      else {
        entry.socket.end(closeCodes.noHello, 'live.noHello')
        // A silent client must not occupy a slot.
        entry.socket.cut()
      }
    }
  }

  async #judge(entry: Entry, cookie: string): Promise<void> {
    const isKnown = await this.#options.isKnown(cookie)
    if (!this.#entries.has(entry)) return
    if (isKnown) this.#forgetStranger(entry)
    else turnAway(entry)
  }

  #cut(entry: Entry): void {
    this.#end(entry)
    entry.socket.cut()
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
function turnAway({ socket }: Entry): void {
  socket.end(closeCodes.session, 'auth.sessionMissing')
}
