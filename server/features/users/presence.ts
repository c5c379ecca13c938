// Who is online: the port, and what a tab's sign of life is worth.

/**
 * A tab that has not been heard of for this long is gone. Tabs repeat themselves every 10 seconds, but browsers hold the
 * timers of hidden tabs back to once a minute.
 */
export const presenceMs = 90_000

/** Open tabs of one user; beyond it the one that was silent longest gives way. */
export const tabsPerUserMax = 20

export interface Tab {
  readonly userId: string
  readonly sessionId: string
  readonly tabId: string
}

/** A user is online while any tab of a living session has shown a sign of life; a crash ends it by silence. */
export interface Presence {
  /** Nothing happens for a tab that has left: its last sign of life may be handled after its goodbye. */
  see(tab: Tab, nowMs: number): Promise<void>
  /** Final for this tab id; a page that comes back takes another. */
  leave(tab: Tab, nowMs: number): Promise<void>
  leaveSession(sessionId: string): Promise<void>
  /** Ids of users with a living tab, each once. */
  onlineUserIds(nowMs: number): Promise<string[]>
  sweep(nowMs: number): Promise<void>
  close(): Promise<void>
}
