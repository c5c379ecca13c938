// Work of an event that has no caller to catch its error, which would end the process.

/** Runs it; an error goes to `onError`. */
export function attempt(work: () => void, onError: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    onError(error)
  }
}
