// Timeouts of the WebSocket loop.
export const firstRetryMs = 1000
export const lastRetryMs = 60_000
/** A connection that lasted this long resets the back-off. */
export const stableMs = 30_000
/** Retry delay after all symbols were rejected, as with an invalid key. */
export const refusedRetryMs = 300_000
/** Idle timeout of a connection without symbols, kept for the next chart. */
export const idleTimeoutMs = 5000
/** Minimum interval of history requests after malformed frames. */
export const resyncEveryMs = 10_000
