// Saving for several devices: nothing is lost to a failure, a reload or another device.
import { describe, expect, it } from 'vitest'
import { versionedSaver, type Versioned } from './versioned-saver.ts'

type Words = readonly string[]

const conflict = new Error('conflict')
const offline = new Error('offline')
const refused = new Error('refused')

/** A server of our own, and devices with a clock that is moved by hand. */
function world() {
  let stored: Versioned<Words> = { version: 0, value: [] }
  let fault: Error | undefined
  const writes: Words[] = []
  const kept = new Map<string, string>()
  return {
    stored: () => stored,
    writes,
    kept,
    fail: (error: Error | undefined) => void (fault = error),
    device: (name: string) => {
      const told: [Words, boolean][] = []
      const refusals: unknown[] = []
      let waiting: { delayMs: number; run: () => void } | undefined
      const saver = versionedSaver<Words>({
        empty: [],
        read: async () => {
          if (fault !== undefined) throw fault
          return stored
        },
        write: async ({ version, value }) => {
          writes.push(value)
          if (fault !== undefined) throw fault
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
        after: (delayMs, run) => {
          const one = { delayMs, run }
          waiting = one
          return () => {
            if (waiting === one) waiting = undefined
          }
        },
        onValue: (value, isOwn) => told.push([value, isOwn]),
        onRefused: (error) => refusals.push(error),
      })
      return {
        saver,
        told,
        refusals,
        add: (word: string) => saver.change((words) => [...words, word]),
        delay: () => waiting?.delayMs,
        /** What was to come later comes now. */
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

/** All promises that are settled by now have been heard. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

describe('a value of several devices', () => {
  it('that cannot be saved as it is is told, kept, and not tried again until it changes', async () => {
    const { device, fail, writes, kept, stored } = world()
    const one = device('one')
    await one.start()
    fail(refused)
    one.add('a')
    await one.pass()
    expect(one.refusals).toEqual([refused])
    expect([one.delay(), writes.length, kept.has('one')]).toEqual([undefined, 1, true])
    fail(undefined)
    one.add('b')
    await one.pass()
    expect(stored().value).toEqual(['a', 'b'])
  })

  it('is saved once for a burst, and is then kept by the server alone', async () => {
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

  it('changed before the server has answered is changed afterwards', async () => {
    const { device, stored } = world()
    const one = device('one')
    one.add('early')
    expect(one.saver.isLoaded()).toBe(false)
    await one.start()
    await one.pass()
    expect(stored().value).toEqual(['early'])
  })

  it('is tried again after longer and longer waits while nothing answers', async () => {
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

  it('that was left unsaved by a page that went is joined and saved by the next one', async () => {
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

  it('saved by two devices from one version has what both did', async () => {
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
    expect(two.told).toEqual([
      [[], false],
      [['b'], true],
      [['a', 'b'], false],
    ])
    one.saver.refresh()
    await settle()
    expect(one.saver.value()).toEqual(['a', 'b'])
  })

  it('changed during a save is saved after it', async () => {
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
