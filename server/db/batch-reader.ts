// Reads rows by key in batches: concurrent callers share one query, and never get a stale result.

interface Waiting<Row> {
  readonly resolve: (row: Row | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns `read(key)`. While a query runs, new keys are collected for the next one, so the database load grows with time
 * and not with callers; each query starts after its keys were requested, so it sees every earlier change.
 * A failed query rejects only its own callers.
 */
export function batchReader<Row>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
  options = { runningMax: 2, keysMax: 200 },
): (key: string) => Promise<Row | undefined> {
  let pending = new Map<string, Waiting<Row>[]>()
  let running = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || running >= options.runningMax || pending.size === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void runOne()
    })
  }

  async function runOne(): Promise<void> {
    const batch = takeSome()
    running += 1
    schedule()
    try {
      const rows = await load([...batch.keys()])
      for (const [key, waiting] of batch) for (const { resolve } of waiting) resolve(rows.get(key))
    } catch (error) {
      for (const waiting of batch.values()) for (const { reject } of waiting) reject(error)
    } finally {
      running -= 1
      schedule()
    }
  }

  function takeSome(): Map<string, Waiting<Row>[]> {
    const all = pending
    pending = new Map()
    if (all.size <= options.keysMax) return all
    const entries = [...all]
    pending = new Map(entries.slice(options.keysMax))
    return new Map(entries.slice(0, options.keysMax))
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const waiting = pending.get(key)
      if (waiting === undefined) pending.set(key, [{ resolve, reject }])
      else waiting.push({ resolve, reject })
      schedule()
    })
}
