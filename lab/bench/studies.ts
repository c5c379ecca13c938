// ns per bar of each study compared with the fastest library that has it, in one run; then the tick.
// Usage: node lab/bench/studies.ts [rounds] [folder of libraries]
// More libraries are included after: npm install --prefix FOLDER @ixjb94/indicators indicatorts technicalindicators
import { studies } from '#shared/indicators/studies.ts'
import { type StudyId } from '#shared/indicators/lib/study-ids.ts'
import { randomContext } from '#shared/indicators/testing/random-bars.ts'
import { peersOf } from './study-peers.ts'

const rounds = Number(process.argv[2] ?? 5)
const folder = process.argv[3]
const [sizes, ticks, batchMs] = [[100_000, 1_000_000], 20_000, 60]
const tenOnATick: readonly StudyId[] = [
  'sma',
  'ema',
  'rsi',
  'macd',
  'bollinger',
  'vwap',
  'atr',
  'supertrend',
  'blockPressure',
  'volumeDelta',
]

measureTicks()
for (const size of sizes) console.table(measureAll(size))

function measureAll(size: number): Record<string, object> {
  const context = randomContext({ count: size, seed: 1, hasTaker: true })
  const allPeers = peersOf(context.bars, folder)
  const rows = (Object.entries(studies) as [StudyId, (typeof studies)[StudyId]][]).map(([id, study]) => {
    const state = study.create(undefined, context)
    const peers = allPeers[id] ?? []
    const runs = [state.full, ...peers.map((peer) => peer.run)]
    const [ours = 0, ...theirs] = fastest(runs).map((ms) => (ms * 1e6) / size)
    const best = Math.min(...theirs)
    const library = peers[theirs.indexOf(best)]?.library ?? '-'
    return [
      id,
      {
        ns: ours.toFixed(1),
        library,
        libraryNs: toText(best, 0),
        ofLibrary: toText(ours / best, 2),
      },
    ] as const
  })
  console.log(`${size} bars, ns per bar`)
  return Object.fromEntries(rows)
}

function toText(value: number, digits: number): string {
  return Number.isFinite(value) && value > 0 ? value.toFixed(digits) : '-'
}

/** Minimum CPU milliseconds of each, alternating: excludes other processes. */
function fastest(runs: readonly (() => unknown)[]): number[] {
  const repeats = runs.map((run) => repeatsOf(run))
  const least = runs.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, run] of runs.entries()) {
      const times = repeats[at] as number
      least[at] = Math.min(least[at] as number, cpuMsOf(run, times) / times)
    }
  }
  return least
}

/** Repetitions per measurement: a thread's CPU clock may advance in steps of 4 ms, which must be negligible. */
function repeatsOf(run: () => unknown): number {
  let times = 1
  while (cpuMsOf(run, times) < batchMs) times *= 2
  return times
}

function cpuMsOf(run: () => unknown, times: number): number {
  const before = process.threadCpuUsage()
  for (let time = 0; time < times; time += 1) run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** A last bar that changes repeatedly, for each study alone and for ten of them together. */
function measureTicks(): void {
  const context = randomContext({ count: 10_000, seed: 1, hasTaker: true })
  const { close } = context.bars
  const last = context.bars.length - 1
  const settled = close[last] as number
  const states = new Map(Object.values(studies).map((study) => [study.id, study.create(undefined, context)]))
  for (const state of states.values()) state.full()
  const groups: [string, (() => void)[]][] = [...states].map(([id, state]) => [id, [state.replaceLast]])
  groups.push(['ten together', tenOnATick.flatMap((id) => states.get(id)?.replaceLast ?? [])])
  const ticksTable = groups.map(([name, calls]) => {
    const turn = (count: number) => {
      for (let tick = 0; tick < count; tick += 1) {
        close[last] = settled + (tick & 7) * 0.05
        for (let at = 0; at < calls.length; at += 1) calls[at]?.()
      }
    }
    turn(500_000)
    const [ns = Number.NaN] = fastest([() => turn(ticks)]).map((ms) => (ms * 1e6) / ticks)
    const usedBefore = process.memoryUsage().heapUsed
    turn(50_000)
    const bytes = (process.memoryUsage().heapUsed - usedBefore) / 50_000
    return [name, { ns: ns.toFixed(1), bytes: bytes.toFixed(2) }] as const
  })
  console.log('one tick on 10,000 bars')
  console.table(Object.fromEntries(ticksTable))
}
