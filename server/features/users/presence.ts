// Who is online: the port, and the limits of heartbeats.

/** A tab that is not renewed for this long is gone. Open sockets and the heartbeats of pages without one renew every minute. */
export const presenceMs = 90_000

/** Maximum open tabs of one user; beyond it the least recently seen one is dropped. */
export const tabsPerUserMax = 20

export interface Tab {
  readonly userId: string
  readonly sessionId: string
  readonly tabId: string
}

/** A user is online while any tab of an active session sends heartbeats; a crashed tab expires. */
export interface Presence {
  /** Ignores a tab that has left: its last heartbeat may be handled after its leave. */
  see(tab: Tab, nowMs: number): Promise<void>
  /** Final for this tab id; a restored page uses a new one. */
  leave(tab: Tab, nowMs: number): Promise<void>
  /** Renews some tabs and deletes others, in one write. Their ids are of sockets, and a socket that has closed is not renewed. */
  renew(change: { readonly seen: readonly Tab[]; readonly gone: readonly Tab[] }, nowMs: number): Promise<void>
  leaveSession(sessionId: string): Promise<void>
  /** Ids of users with an active tab, without duplicates. */
  onlineUserIds(nowMs: number): Promise<string[]>
  sweep(nowMs: number): Promise<void>
  close(): Promise<void>
}
