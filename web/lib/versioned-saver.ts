// Saves a value that several devices change: debounced, retried after an error, and merged with changes from
// other devices. Unsaved changes are kept in the browser.
import { addSaver } from './forget-unsaved.ts'

export interface Versioned<T> {
  /** Number of saves; 0 before the first. */
  readonly version: number
  readonly value: T
}

export interface VersionedSaverOptions<T> {
  /** Used until the server has answered, and if nothing was saved. */
  readonly empty: T
  readonly read: () => Promise<Versioned<T>>
  /** Replaces the version that the value is based on; resolves to the new version. */
  readonly write: (state: Versioned<T>) => Promise<number>
  readonly merge: (fork: { readonly base: T; readonly mine: T; readonly theirs: T }) => T
  /** Type of an error: version conflict, permanent, or temporary. */
  readonly kindOf: (error: unknown) => 'conflict' | 'final' | 'passing'
  /** Text storage that survives a reload. */
  readonly keep: { readonly get: () => string | undefined; readonly set: (text: string) => void; readonly remove: () => void }
  /** Validates a stored value. */
  readonly parse: (stored: unknown) => T
  readonly delayMs: number
  /** Calls back after a delay; returns a cancel function. */
  readonly after: (delayMs: number, run: () => void) => () => void
  /** The value was loaded or has changed, here or on another device. */
  readonly onValue: (value: T, isOwn: boolean) => void
  /** Shows the server's value again after a rejection; otherwise the rejected value is kept until it changes. */
  readonly rollsBack?: boolean
  /** The value was rejected and cannot be saved. */
  readonly onRejected: (error: unknown) => void
}

export interface VersionedSaver<T> {
  /** Loads the server's value and merges unsaved changes of this browser. */
  readonly start: () => void
  readonly value: () => T
  /** False until the server has answered once. */
  readonly isLoaded: () => boolean
  readonly change: (update: (value: T) => T) => void
  /** Reloads, for example when the page becomes visible. */
  readonly refresh: () => void
  /** Saves pending changes at once. */
  readonly flush: () => void
  /** Saves pending changes and ends. */
  readonly stop: () => void
  /** Ends without saving; changes that this browser keeps stay there. */
  readonly discard: () => void
}

const firstRetryMs = 1_000
const lastRetryMs = 60_000

export function versionedSaver<T>(options: VersionedSaverOptions<T>): VersionedSaver<T> {
  return new Saver(options)
}

/** The public methods may be passed on as functions. */
class Saver<T> implements VersionedSaver<T> {
  readonly #options: VersionedSaverOptions<T>
  readonly #removeSaver: () => void
  /** The server's value. */
  #base: Versioned<T> | undefined
  #mine: T
  #hasUnsaved = false
  /** Changes made before the server has answered. */
  #early: ((value: T) => T)[] = []
  #isBusy = false
  #running = Promise.resolve()
  #isOver = false
  #isDiscarded = false
  #tries = 0
  #cancel: () => void = () => undefined

  constructor(options: VersionedSaverOptions<T>) {
    this.#options = options
    this.#mine = options.empty
    this.#removeSaver = addSaver(async () => {
      await this.#running
      await this.#exclusively(() => this.#save())
    })
  }

  readonly start = () => void this.#load()

  readonly value = () => this.#mine

  readonly isLoaded = () => this.#base !== undefined

  readonly refresh = this.start

  readonly change = (update: (value: T) => T): void => {
    if (this.#base === undefined) {
      this.#early.push(update)
      return
    }
    const next = update(this.#mine)
    if (Object.is(next, this.#mine)) return
    this.#hasUnsaved = true
    this.#show(next, true)
    this.#keepDraft()
    this.#flushLater()
  }

  readonly flush = () => void this.#exclusively(() => this.#save())

  readonly stop = (): void => {
    this.flush()
    this.#end()
  }

  readonly discard = (): void => {
    this.#isDiscarded = true
    this.#end()
  }

  async #load(): Promise<void> {
    await this.#exclusively(async () => {
      try {
        this.#take(await this.#options.read())
        this.#tries = 0
      } catch (error) {
        if (this.#options.kindOf(error) === 'passing') this.#retry(this.start)
      }
    })
    if (this.#hasUnsaved && this.#base !== undefined) this.#flushLater()
  }

  /** Merges the server's value with unsaved changes. */
  #take(theirs: Versioned<T>): void {
    if (this.#isOver) return
    const draft = this.#base === undefined ? readDraft(this.#options) : undefined
    const before = draft?.base ?? this.#base?.value ?? this.#options.empty
    const mine = draft?.mine ?? this.#mine
    if (draft !== undefined) this.#hasUnsaved = true
    const isNews = this.#base === undefined || theirs.version !== this.#base.version
    this.#base = theirs
    if (isNews) this.#show(this.#hasUnsaved ? this.#options.merge({ base: before, mine, theirs: theirs.value }) : theirs.value, false)
    const updates = this.#early
    this.#early = []
    for (const update of updates) this.change(update)
    this.#keepDraft()
  }

  async #save(): Promise<void> {
    if (this.#base === undefined || !this.#hasUnsaved) return
    const [sent, { version }] = [this.#mine, this.#base]
    try {
      this.#base = { version: await this.#options.write({ version, value: sent }), value: sent }
      this.#tries = 0
      this.#hasUnsaved = !Object.is(this.#mine, sent)
      this.#keepDraft()
      if (this.#hasUnsaved) this.#flushLater()
    } catch (error) {
      await this.#recover(error, sent)
    }
  }

  async #recover(error: unknown, sent: T): Promise<void> {
    const kind = this.#options.kindOf(error)
    if (kind === 'final') return this.#reject(error, sent)
    if (kind === 'passing') return this.#retry(this.flush)
    try {
      this.#take(await this.#options.read())
      this.#flushLater(0)
    } catch {
      this.#retry(this.flush)
    }
  }

  #reject(error: unknown, sent: T): void {
    if (this.#options.rollsBack === true && this.#base !== undefined) {
      if (!Object.is(this.#mine, sent)) return this.#flushLater(0)
      this.#hasUnsaved = false
      this.#show(this.#base.value, false)
      this.#keepDraft()
    }
    this.#options.onRejected(error)
  }

  #show(next: T, isOwn: boolean): void {
    if (Object.is(next, this.#mine)) return
    this.#mine = next
    this.#options.onValue(next, isOwn)
  }

  #keepDraft(): void {
    const { keep } = this.#options
    if (this.#isDiscarded) return
    if (this.#hasUnsaved && this.#base !== undefined) keep.set(JSON.stringify({ base: this.#base, mine: this.#mine }))
    else keep.remove()
  }

  #end(): void {
    this.#isOver = true
    this.#cancel()
    void this.#running.finally(this.#removeSaver)
  }

  /** One call at a time, so that no older response overtakes a newer one. */
  async #exclusively(run: () => Promise<void>): Promise<void> {
    if (this.#isBusy || this.#isOver) return
    this.#isBusy = true
    this.#running = run().finally(() => (this.#isBusy = false))
    await this.#running
  }

  #flushLater(delayMs = this.#options.delayMs): void {
    this.#later(delayMs, this.flush)
  }

  #retry(run: () => void): void {
    if (this.#isOver) return
    this.#later(Math.min(lastRetryMs, firstRetryMs * 2 ** this.#tries), run)
    this.#tries += 1
  }

  #later(delayMs: number, run: () => void): void {
    this.#cancel()
    this.#cancel = this.#options.after(delayMs, run)
  }
}

/** Unsaved changes of an earlier page, with the value that they are based on; undefined where there are none, or damaged ones. */
function readDraft<T>({ keep, parse }: VersionedSaverOptions<T>): { readonly base: T; readonly mine: T } | undefined {
  try {
    const kept = JSON.parse(keep.get() ?? 'null') as { base?: { value?: unknown }; mine?: unknown } | null
    return kept === null ? undefined : { base: parse(kept.base?.value), mine: parse(kept.mine) }
  } catch {
    return undefined
  }
}
