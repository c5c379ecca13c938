/** Runs one at a time; any number of calls during a run make it run once more afterwards. `run` must not reject. */
export function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false
  let isWanted = false
  const again = async (): Promise<void> => {
    isRunning = true
    do {
      isWanted = false
      await run()
    } while (isWanted)
    isRunning = false
  }
  return () => {
    isWanted = true
    if (!isRunning) void again()
  }
}
