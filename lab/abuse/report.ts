// Aggregates the rounds of an attack, prints them as tables, and reports whether each target was met.
import { loadavg } from 'node:os'
import type { Attack, AttackCounts, Figures } from './attack.ts'
import type { Timings } from './honest-users.ts'

export interface Round {
  readonly quiet: Timings
  readonly attacked: Timings
  /** CPU usage of the server in percent of one core. */
  readonly processor: { readonly quiet: number; readonly attacked: number }
  readonly rssMb: { readonly quiet: number; readonly attacked: number }
  readonly counts: AttackCounts
  readonly isCut: boolean
}

/** Returns true if all targets were met. */
export function report(attack: Attack, rounds: readonly Round[]): boolean {
  const figures = figuresOf(rounds)
  console.table(Object.fromEntries(rounds.map(({ counts }, index) => [`round ${index + 1}`, counts])))
  console.table({
    'RSS MB': span(
      rounds.map(({ rssMb }) => rssMb),
      Math.max,
    ),
    'processor % of the server': span(
      rounds.map(({ processor }) => processor),
      mean,
    ),
  })
  console.table(Object.fromEntries(figures.kinds.map((kind) => [kind, rowOf(figures, rounds, kind)])))
  if (rounds.some(({ isCut }) => isCut)) console.log('A round ended early: --rss-max was reached.')
  console.log(`load average of 1, 5 and 15 minutes: ${loadavg().map(round).join(', ')}`)
  const verdicts = attack.goals.map(({ text, max, figureOf }) => ({ text, max, figure: figureOf(figures) }))
  for (const { text, max, figure } of verdicts)
    console.log(`${figure <= max ? 'MET   ' : 'MISSED'} ${text}: ${round(figure)} (at most ${max})`)
  return verdicts.every(({ max, figure }) => figure <= max)
}

function figuresOf(rounds: readonly Round[]): Figures {
  const timesOf = (phase: 'quiet' | 'attacked', kind: string): number[] => rounds.flatMap((each) => each[phase][kind] ?? [])
  return {
    kinds: [...new Set(rounds.flatMap(({ quiet, attacked }) => [...Object.keys(quiet), ...Object.keys(attacked)]))],
    rssRiseMb: Math.max(...rounds.map(({ rssMb }) => rssMb.attacked)) - (rounds[0]?.rssMb.quiet ?? 0),
    quantile: (phase, kind, share) => at(timesOf(phase, kind), share),
    failed: (phase, kind) => timesOf(phase, kind).filter((ms) => ms === Infinity).length,
    most: (count) => Math.max(...rounds.map(({ counts }) => Number(counts[count] ?? Number.NaN))),
  }
}

function rowOf(figures: Figures, rounds: readonly Round[], kind: string): Record<string, number> {
  const ms = (phase: 'quiet' | 'attacked', share: number): number => round(figures.quantile(phase, kind, share))
  return {
    'quiet p50 ms': ms('quiet', 0.5),
    'quiet p99 ms': ms('quiet', 0.99),
    'attacked p50 ms': ms('attacked', 0.5),
    'attacked p99 ms': ms('attacked', 0.99),
    'p50 ratio': round(figures.quantile('attacked', kind, 0.5) / figures.quantile('quiet', kind, 0.5)),
    'p99 ratio': round(figures.quantile('attacked', kind, 0.99) / figures.quantile('quiet', kind, 0.99)),
    calls: rounds.reduce((sum, { attacked }) => sum + (attacked[kind]?.length ?? 0), 0),
    failed: figures.failed('attacked', kind),
  }
}

function span(
  values: readonly { readonly quiet: number; readonly attacked: number }[],
  join: (...values: number[]) => number,
): Record<string, number> {
  const [quiet, attacked] = [join(...values.map((value) => value.quiet)), join(...values.map((value) => value.attacked))]
  return { quiet: round(quiet), attacked: round(attacked), rise: round(attacked - quiet) }
}

const mean = (...values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
