// Detecting whether the provider is reachable, with a scripted clock and scripted answers.
import { beforeEach, describe, expect, it } from 'vitest'
import { createSafeStorage, type SafeStorage } from '#web/lib/browser-storage.ts'
import { WidgetReach } from './widget-reach.ts'

interface Attempt {
  readonly answer: () => void
  readonly fail: () => void
  readonly signal: AbortSignal
}

let kept: SafeStorage
let attempts: Attempt[]
let nowMs: number
let timers: { atMs: number; run: () => void }[]
let reach: WidgetReach

beforeEach(() => {
  const area = new Map<string, string>()
  const storage = {
    getItem: (key: string) => area.get(key) ?? null,
    setItem: (key: string, value: string) => void area.set(key, value),
    removeItem: (key: string) => void area.delete(key),
  } as Storage
  kept = createSafeStorage(() => storage)
  attempts = []
  timers = []
  nowMs = 0
  reach = open()
})

/** Simulates a page load in the same session. */
function open(canProbe = true, pageAgeMs = 60_000): WidgetReach {
  return new WidgetReach({
    probe: (signal) =>
      new Promise((resolve, reject) => {
        attempts.push({ answer: () => resolve(undefined), fail: () => reject(new TypeError('Failed to fetch')), signal })
      }),
    canProbe,
    pageAgeMs: () => pageAgeMs,
    kept,
    after: (delayMs, run) => {
      const timer = { atMs: nowMs + delayMs, run }
      timers.push(timer)
      return () => void (timers = timers.filter((other) => other !== timer))
    },
  })
}

/** Advances the clock and settles promises in between. */
async function pass(ms: number): Promise<void> {
  const endMs = nowMs + ms
  await settle()
  for (;;) {
    const next = timers.filter(({ atMs }) => atMs <= endMs).toSorted((one, other) => one.atMs - other.atMs)[0]
    if (next === undefined) break
    nowMs = next.atMs
    timers = timers.filter((timer) => timer !== next)
    next.run()
    await settle()
  }
  nowMs = endMs
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

async function last(what: 'answer' | 'fail'): Promise<void> {
  attempts.at(-1)?.[what]()
  await settle()
}

describe('a host', () => {
  it('is probed once, however many charts need it', async () => {
    expect(reach.state().reach).toBe('unknown')
    reach.start()
    reach.start()
    await last('answer')
    reach.start()
    expect([attempts.length, reach.state().reach]).toEqual([1, 'reachable'])
  })

  it('that rejects is unreachable at once, and is retried with backoff', async () => {
    reach.start()
    await last('fail')
    expect(reach.state()).toEqual({ reach: 'unreachable', hasRecovered: false })
    const seen: number[] = []
    for (let round = 0; round < 9; round += 1) {
      const { length } = attempts
      const startMs = nowMs
      while (attempts.length === length) await pass(1_000)
      seen.push((nowMs - startMs) / 1_000)
      await last('fail')
    }
    expect(seen).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
    expect(reach.state().reach).toBe('unreachable')
  })

  it.each([
    [0, 2_000],
    [500, 1_500],
    [800, 1_200],
    [1_900, 1_200],
    [2_000, 2_000],
  ])('that is silent on a page %d ms old is slow after %d ms', async (pageAgeMs, slowMs) => {
    reach = open(true, pageAgeMs)
    reach.start()
    await pass(slowMs - 1)
    expect(reach.state().reach).toBe('unknown')
    await pass(1)
    expect(reach.state().reach).toBe('slow')
  })

  it('that is silent is slow after two seconds and unreachable after ten', async () => {
    reach.start()
    await pass(1_999)
    expect(reach.state().reach).toBe('unknown')
    await pass(1)
    expect(reach.state().reach).toBe('slow')
    expect(attempts[0]?.signal.aborted).toBe(false)
    await pass(8_000)
    expect(reach.state().reach).toBe('unreachable')
    expect(attempts[0]?.signal.aborted).toBe(true)
  })

  it.each([1_900, 2_100, 9_900])('that answers after %d ms is reachable', async (ms) => {
    reach.start()
    await pass(ms)
    await last('answer')
    expect(reach.state().reach).toBe('reachable')
    await pass(600_000)
    expect([reach.state().reach, attempts.length]).toEqual(['reachable', 1])
  })

  it('whose frame draws is reachable, whatever the probe returned', async () => {
    reach.start()
    reach.report(true)
    await last('fail')
    await pass(600_000)
    expect([reach.state().reach, attempts.length]).toEqual(['reachable', 1])
  })
})

describe('a provider that has recovered', () => {
  beforeEach(async () => {
    reach.start()
    await last('fail')
    await pass(5_000)
    await last('answer')
  })

  it('is announced, and used by charts that are opened from then on', async () => {
    expect(reach.state()).toEqual({ reach: 'unreachable', hasRecovered: true })
    reach.adopt()
    expect(reach.state()).toEqual({ reach: 'reachable', hasRecovered: false })
    await pass(600_000)
    expect(attempts).toHaveLength(2)
  })

  it('is used at once after `adopt`', async () => {
    reach.retry()
    expect(reach.state().reach).toBe('unknown')
    await last('answer')
    expect(reach.state().reach).toBe('reachable')
  })
})

describe('the session', () => {
  it('remembers an unreachable or slow provider, and forgets one that answers', async () => {
    reach.start()
    await pass(2_000)
    expect(open().state().reach).toBe('unreachable')
    await last('answer')
    expect(open().state().reach).toBe('unknown')
  })

  it('tries a remembered provider again on the next page', async () => {
    reach.start()
    await last('fail')
    const next = open()
    expect(next.state().reach).toBe('unreachable')
    next.start()
    await pass(4_000)
    expect(next.state().reach).toBe('unreachable')
    await last('answer')
    expect(next.state().reach).toBe('reachable')
  })

  it('of a page that may not probe remembers what the script reported', async () => {
    const scripted = open(false)
    scripted.start()
    await pass(20_000)
    expect([scripted.state().reach, attempts.length]).toEqual(['unknown', 0])
    scripted.report(false)
    await pass(600_000)
    expect([scripted.state().reach, attempts.length]).toEqual(['unreachable', 0])
    scripted.report(true)
    expect(scripted.state().reach).toBe('reachable')
  })
})

it('does not change when `adopt` is called before any result', async () => {
  reach.start()
  await last('fail')
  reach.adopt()
  expect(reach.state()).toEqual({ reach: 'unreachable', hasRecovered: false })
})
