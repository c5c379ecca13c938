// Formats times in mails.

/** For example 2026-11-20 06:00 UTC. */
export function mailTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
