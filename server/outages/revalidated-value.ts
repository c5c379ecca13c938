// A value of the database that is served while it is read again: no request waits for a database that does not answer.
import { setTimeout as delay } from 'node:timers/promises'

/** A request does not wait longer for a newer value, and not at all for a read that takes longer. */
const waitMaxMs = 100

export interface RevalidatedOptions<Value> {
  readonly read: () => Promise<Value>
  /** Age from which the value is read again. */
  readonly freshMs: number
  readonly now: () => number
  readonly onError: (error: unknown) => void
  /** Served before the first read has ended; without one the first requests wait for it, and get its error. */
  readonly initial?: Value
}

/** Reads one at a time, at most every `freshMs`; after an error the last value stays. */
export class RevalidatedValue<Value extends object> {
  readonly #options: RevalidatedOptions<Value>
  #value: Value | undefined
  #readAtMs = Number.NEGATIVE_INFINITY
  #reading: Promise<Value> | undefined
  #waiting: Promise<unknown> | undefined

  constructor(options: RevalidatedOptions<Value>) {
    this.#options = options
    this.#value = options.initial
  }

  /** The last value, without waiting; read again in the background if it is old. */
  get latest(): Value | undefined {
    if (this.#isOld()) this.#waiting ??= this.#readBriefly()
    return this.#value
  }

  /** The newest value if it is read within 100 ms, else the last one. */
  async get(): Promise<Value> {
    if (this.#value === undefined) return this.#read()
    if (this.#isOld()) this.#waiting ??= this.#readBriefly()
    await this.#waiting
    return this.#value
  }

  /** Reads again after a change by this process, so that the next call has it; never rejects. */
  async reload(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    await this.#read().catch(this.#options.onError)
  }

  #isOld(): boolean {
    return Math.abs(this.#options.now() - this.#readAtMs) >= this.#options.freshMs
  }

  #read(): Promise<Value> {
    this.#reading ??= this.#begin().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  async #begin(): Promise<Value> {
    this.#readAtMs = this.#options.now()
    this.#value = await this.#options.read()
    return this.#value
  }

  /** Resolves within 100 ms, so that callers of a read that takes longer no longer wait. */
  #readBriefly(): Promise<unknown> {
    const ended = this.#read()
      .catch(this.#options.onError)
      .finally(() => (this.#waiting = undefined))
    return Promise.race([ended, delay(waitMaxMs, undefined, { ref: false })])
  }
}

/** Values by key, each read when it is requested; the least recently requested beyond `keysMax` are forgotten. */
export class RevalidatedValues<Value extends object> {
  readonly #optionsOf: (key: string) => RevalidatedOptions<Value>
  readonly #keysMax: number
  readonly #values = new Map<string, RevalidatedValue<Value>>()

  constructor(keysMax: number, optionsOf: (key: string) => RevalidatedOptions<Value>) {
    this.#keysMax = keysMax
    this.#optionsOf = optionsOf
  }

  of(key: string): RevalidatedValue<Value> {
    const value = this.#values.get(key) ?? new RevalidatedValue(this.#optionsOf(key))
    this.#values.delete(key)
    this.#values.set(key, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#keysMax && oldest !== undefined) this.#values.delete(oldest)
    return value
  }
}
