// Saves a value that several devices change: a moment after the last change, again after a failure, and joined with what
// another device has saved. What is not saved yet is kept in the browser.
export interface Versioned<T> {
  /** Counts the saves; 0 where nothing was saved yet. */
  readonly version: number
  readonly value: T
}

export interface VersionedSaverNeeds<T> {
  /** Shown until the server has answered, and where nothing was saved. */
  readonly empty: T
  readonly read: () => Promise<Versioned<T>>
  /** Replaces the version that the value was made from; resolves to the new one. */
  readonly write: (state: Versioned<T>) => Promise<number>
  readonly merge: (fork: { readonly base: T; readonly mine: T; readonly theirs: T }) => T
  /** What a failure means: saved elsewhere, never to be saved like this, or worth another try. */
  readonly kindOf: (error: unknown) => 'conflict' | 'final' | 'passing'
  /** Text that survives a reload. */
  readonly keep: { readonly get: () => string | undefined; readonly set: (text: string) => void; readonly remove: () => void }
  /** Makes a kept value safe. */
  readonly parse: (stored: unknown) => T
  readonly delayMs: number
  /** Calls back later; returns the way to stop it. */
  readonly after: (delayMs: number, run: () => void) => () => void
  /** The value was loaded, or is another than before, by a change here or of another device. */
  readonly onValue: (value: T, isOwn: boolean) => void
  /** It cannot be saved as it is. */
  readonly onRefused: (error: unknown) => void
}

export interface VersionedSaver<T> {
  /** Reads what the server has and joins it with what was left unsaved here. */
  readonly start: () => void
  readonly value: () => T
  /** False until the server has answered once. */
  readonly isLoaded: () => boolean
  readonly change: (update: (value: T) => T) => void
  /** Reads again, such as when the page is looked at again. */
  readonly refresh: () => void
  /** Saves at once what waits. */
  readonly flush: () => void
  readonly stop: () => void
}

const firstRetryMs = 1_000
const lastRetryMs = 60_000

export function versionedSaver<T>(needs: VersionedSaverNeeds<T>): VersionedSaver<T> {
  /** What the server has. */
  let base: Versioned<T> | undefined
  let mine = needs.empty
  let hasUnsaved = false
  let early: ((value: T) => T)[] = []
  let isBusy = false
  let isOver = false
  let tries = 0
  let cancel: () => void = () => undefined

  const later = (delayMs: number, run: () => void) => {
    cancel()
    cancel = needs.after(delayMs, run)
  }

  const retry = (run: () => void) => {
    if (isOver) return
    later(Math.min(lastRetryMs, firstRetryMs * 2 ** tries), run)
    tries += 1
  }

  function show(next: T, isOwn: boolean): void {
    if (Object.is(next, mine)) return
    mine = next
    needs.onValue(next, isOwn)
  }

  function keep(): void {
    if (hasUnsaved && base !== undefined) needs.keep.set(JSON.stringify({ base, mine }))
    else needs.keep.remove()
  }

  /** One call at a time, so that no older answer overtakes a newer one. */
  async function exclusively(run: () => Promise<void>): Promise<void> {
    if (isBusy || isOver) return
    isBusy = true
    await run().finally(() => (isBusy = false))
  }

  async function load(): Promise<void> {
    await exclusively(async () => {
      try {
        take(await needs.read())
        tries = 0
      } catch (error) {
        if (needs.kindOf(error) === 'passing' && !isOver) retry(() => void load())
      }
    })
    if (hasUnsaved && base !== undefined) later(needs.delayMs, flush)
  }

  /** Joins what the server has with what is unsaved here. */
  function take(theirs: Versioned<T>): void {
    if (isOver) return
    const left = base === undefined ? leftBehind() : undefined
    const before = left?.base ?? base?.value ?? needs.empty
    const changed = left?.mine ?? mine
    if (left !== undefined) hasUnsaved = true
    const isNews = base === undefined || theirs.version !== base.version
    base = theirs
    if (isNews) show(hasUnsaved ? needs.merge({ base: before, mine: changed, theirs: theirs.value }) : theirs.value, false)
    const updates = early
    early = []
    for (const update of updates) change(update)
    keep()
  }

  function leftBehind(): { base: T; mine: T } | undefined {
    try {
      const kept = JSON.parse(needs.keep.get() ?? 'null') as { base?: { value?: unknown }; mine?: unknown } | null
      return kept === null ? undefined : { base: needs.parse(kept.base?.value), mine: needs.parse(kept.mine) }
    } catch {
      return undefined
    }
  }

  function change(update: (value: T) => T): void {
    if (base === undefined) {
      early.push(update)
      return
    }
    const next = update(mine)
    if (Object.is(next, mine)) return
    hasUnsaved = true
    show(next, true)
    keep()
    later(needs.delayMs, flush)
  }

  async function save(): Promise<void> {
    if (base === undefined || !hasUnsaved) return
    const [sent, { version }] = [mine, base]
    try {
      base = { version: await needs.write({ version, value: sent }), value: sent }
      tries = 0
      hasUnsaved = !Object.is(mine, sent)
      keep()
      if (hasUnsaved) later(needs.delayMs, flush)
    } catch (error) {
      await fail(error)
    }
  }

  async function fail(error: unknown): Promise<void> {
    const kind = needs.kindOf(error)
    if (kind === 'final') return needs.onRefused(error)
    if (kind === 'passing') return retry(flush)
    try {
      take(await needs.read())
      later(0, flush)
    } catch {
      retry(flush)
    }
  }

  function flush(): void {
    void exclusively(save)
  }

  return {
    start: () => void load(),
    value: () => mine,
    isLoaded: () => base !== undefined,
    change,
    refresh: () => void load(),
    flush,
    stop() {
      flush()
      isOver = true
      cancel()
    },
  }
}
