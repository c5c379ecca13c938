// One connection of the loop with what was asked and confirmed on it, and the limits on its answers and its age.
import { openConnection } from './socket-loop-connection.ts'
import type { SocketLink, SocketLoopNeeds, SocketSession } from './socket-loop-port.ts'

/** How long a provider may take to confirm a subscription. */
const confirmTimeoutMs = 10_000

export interface LineEvents {
  ready(line: Line): void
  ended(line: Line, reason: string, status: number | undefined): void
  /** Its age is reached. */
  aged(line: Line): void
  malformed(line: Line, error: unknown): void
}

export interface Line {
  /** Undefined until subscriptions may be sent. */
  readyMs: number | undefined
  /** Asked for and neither confirmed nor refused. */
  readonly pending: Set<string>
  readonly accepted: Set<string>
  readonly refused: Set<string>
  subscribe(symbols: readonly string[]): void
  unsubscribe(symbols: readonly string[]): void
  send(frame: string | Buffer): void
  ready(): void
  /** Ends it as if the provider had. */
  fail(reason: string): void
  close(): void
}

/** Opens a line. `linkOf` makes the adapter's hands on it. */
export function openLine(needs: SocketLoopNeeds, linkOf: (line: Line) => SocketLink, events: LineEvents): Line {
  const { clock, limits } = needs
  const stops: (() => void)[] = []
  let isOver = false
  let stopConfirm: (() => void) | undefined

  const connection = openConnection(
    {
      url: needs.url,
      headers: needs.headers ?? {},
      clock,
      messagesPerSecond: limits.messagesPerSecond,
      silenceMs: limits.silenceMs,
      lookup: needs.lookup,
    },
    {
      opened: () => (session.opened === undefined ? line.ready() : session.opened()),
      frame(frame) {
        try {
          session.receive(frame)
        } catch (error) {
          events.malformed(line, error)
        }
      },
      ended: (reason, status) => over(() => events.ended(line, `${needs.name} ${reason}`, status)),
    },
  )

  function over(tell: () => void): void {
    if (isOver) return
    isOver = true
    for (const stop of stops) stop()
    stopConfirm?.()
    connection.close()
    session.ended?.()
    tell()
  }

  function awaitConfirmation(): void {
    stopConfirm?.()
    stopConfirm = clock.after(confirmTimeoutMs, () => {
      if (line.pending.size > 0) line.fail('did not confirm a subscription')
    })
  }

  const line: Line = {
    readyMs: undefined,
    pending: new Set(),
    accepted: new Set(),
    refused: new Set(),
    subscribe(symbols) {
      for (const symbol of symbols) line.pending.add(symbol)
      awaitConfirmation()
      session.subscribe(symbols)
    },
    unsubscribe(symbols) {
      for (const symbol of symbols) for (const known of [line.pending, line.accepted, line.refused]) known.delete(symbol)
      session.unsubscribe(symbols)
    },
    send: (frame) => connection.send(frame),
    ready() {
      if (isOver || line.readyMs !== undefined) return
      line.readyMs = clock.monotonic()
      // Several connections begun together must not be renewed together.
      if (limits.renewAfterMs !== undefined) {
        stops.push(clock.after(limits.renewAfterMs * (1 - 0.05 * clock.random()), () => events.aged(line)))
      }
      events.ready(line)
    },
    fail: (reason) => over(() => events.ended(line, `${needs.name} ${reason}`, undefined)),
    close: () => over(() => undefined),
  }
  const session: SocketSession = needs.start(linkOf(line))
  return line
}
