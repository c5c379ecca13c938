// Saving a shared value: nothing is lost to an error, a reload or another device.
import { describe, expect, it } from 'vitest'
import { versionedSaver, type Versioned } from './versioned-saver.ts'

type Words = readonly string[]

const conflict = new Error('conflict')
const offline = new Error('offline')
const refused = new Error('refused')

/** A fake server, and devices with a manual clock. */
function world() {
  let stored: Versioned<Words> = { version: 0, value: [] }
  let issue: Error | undefined
  const writes: Words[] = []
  const kept = new Map<string, string>()
  return {
    stored: () => stored,
    writes,
    kept,
    fail: (error: Error | undefined) => void (issue = error),
    device: (name: string, { rollsBack = false } = {}) => {
      const notified: [Words, boolean][] = []
      const errorStatuses: unknown[] = []
      let waiting: { delayMs: number; run: () => void } | undefined
      const saver = versionedSaver<Words>({
        empty: [],
        read: async () => {
          if (issue !== undefined) throw issue
          return stored
        },
        write: async ({ version, value }) => {
          writes.push(value)
          if (issue !== undefined) throw issue
          if (version !== stored.version) throw conflict
          stored = { version: version + 1, value }
          return stored.version
        },
        merge: ({ base, mine, theirs }) => [
          ...theirs.filter((word) => mine.includes(word) || !base.includes(word)),
          ...mine.filter((word) => !theirs.includes(word) && !base.includes(word)),
        ],
        kindOf: (error) => (error === conflict ? 'conflict' : error === refused ? 'final' : 'passing'),
        keep: { get: () => kept.get(name), set: (text) => kept.set(name, text), remove: () => kept.delete(name) },
        parse: (value) => (Array.isArray(value) ? (value as Words) : []),
        delayMs: 500,
        rollsBack,
        after: (delayMs, run) => {
          const one = { delayMs, run }
          waiting = one
          return () => {
            if (waiting === one) waiting = undefined
          }
        },
        onValue: (value, isOwn) => notified.push([value, isOwn]),
        onRejected: (error) => errorStatuses.push(error),
      })
      return {
        saver,
        notified,
        errorStatuses,
        add: (word: string) => saver.change((words) => [...words, word]),
        delay: () => waiting?.delayMs,
        /** Runs all pending timers. */
        pass: async () => {
          const due = waiting
          waiting = undefined
          due?.run()
          await settle()
        },
        start: async () => {
          saver.start()
          await settle()
        },
      }
    },
  }
}

/** Settles all resolved promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

describe('a value shared by several devices', () => {
  it('that is rejected is reported, kept, and not retried until it changes', async () => {
    const { device, fail, writes, kept, stored } = world()
    const one = device('one')
    await one.start()
    fail(refused)
    one.add('a')
    await one.pass()
    expect(one.errorStatuses).toEqual([refused])
    expect([one.delay(), writes.length, kept.has('one')]).toEqual([undefined, 1, true])
    fail(undefined)
    one.add('b')
    await one.pass()
    expect(stored().value).toEqual(['a', 'b'])
  })

  it('that rolls back is the saved one again after a rejection, but not while a newer change can be saved', async () => {
    const { device, fail, writes, kept, stored } = world()
    const one = device('one', { rollsBack: true })
    await one.start()
    one.add('a')
    await one.pass()
    fail(refused)
    one.add('b')
    one.saver.flush()
    one.add('c')
    await settle()
    expect([one.saver.value(), one.errorStatuses, one.delay()]).toEqual([['a', 'b', 'c'], [], 0])
    await one.pass()
    expect(writes).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']])
    expect([one.saver.value(), one.errorStatuses, one.delay(), kept.size]).toEqual([['a'], [refused], undefined, 0])
    expect(stored().value).toEqual(['a'])
  })

  it('is saved once for a burst, and then only stored by the server', async () => {
    const { device, writes, kept, stored } = world()
    const one = device('one')
    await one.start()
    one.add('a')
    one.add('b')
    expect([one.delay(), kept.has('one')]).toEqual([500, true])
    await one.pass()
    expect(writes).toEqual([['a', 'b']])
    expect(stored()).toEqual({ version: 1, value: ['a', 'b'] })
    expect(kept.size).toBe(0)
  })

  it('that is changed before the server has answered is changed afterwards', async () => {
    const { device, stored } = world()
    const one = device('one')
    one.add('early')
    expect(one.saver.isLoaded()).toBe(false)
    await one.start()
    await one.pass()
    expect(stored().value).toEqual(['early'])
  })

  it('is retried with backoff while the server is unreachable', async () => {
    const { device, fail, stored } = world()
    const one = device('one')
    await one.start()
    one.add('a')
    fail(offline)
    const waits: unknown[] = []
    for (let turn = 0; turn < 8; turn += 1) {
      await one.pass()
      waits.push(one.delay())
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    fail(undefined)
    await one.pass()
    expect(stored().value).toEqual(['a'])
  })

  it('left unsaved by a closed page is merged and saved by the next one', async () => {
    const { device, fail, stored, kept } = world()
    const before = device('same')
    await before.start()
    before.add('left')
    fail(offline)
    before.saver.stop()
    await settle()
    fail(undefined)
    const other = device('other')
    await other.start()
    other.add('theirs')
    await other.pass()
    const after = device('same')
    await after.start()
    expect(after.saver.value()).toEqual(['theirs', 'left'])
    await after.pass()
    expect(stored().value).toEqual(['theirs', 'left'])
    expect(kept.size).toBe(0)
  })

  it('changed by two devices from one version has both changes', async () => {
    const { device, stored } = world()
    const [one, two] = [device('one'), device('two')]
    await one.start()
    await two.start()
    one.add('a')
    two.add('b')
    await one.pass()
    await two.pass()
    await two.pass()
    expect(stored()).toEqual({ version: 2, value: ['a', 'b'] })
    expect(two.notified).toEqual([
      [[], false],
      [['b'], true],
      [['a', 'b'], false],
    ])
    one.saver.refresh()
    await settle()
    expect(one.saver.value()).toEqual(['a', 'b'])
  })

  it('changed during a save is saved again after it', async () => {
    const { device, writes, stored } = world()
    const one = device('one')
    await one.start()
    one.add('a')
    one.saver.flush()
    one.add('b')
    await settle()
    await one.pass()
    expect(writes).toEqual([['a'], ['a', 'b']])
    expect(stored()).toEqual({ version: 2, value: ['a', 'b'] })
  })
})
