// Keeps the process of a command alive while it works: the timers of feeds and of the database do not.

/** Without it Node ends a command that only waits for such a timer in the middle, with exit code 13. */
export async function keepAlive<T>(work: () => Promise<T>): Promise<T> {
  const alive = setInterval(() => undefined, 60_000)
  try {
    return await work()
  } finally {
    clearInterval(alive)
  }
}
