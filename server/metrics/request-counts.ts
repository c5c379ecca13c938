// Counts requests by route, method and status, with durations in buckets; runs on every request.
import type { RequestSample, Sample } from './metrics.ts'

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Cell {
  readonly labels: { readonly method: string; readonly route: string }
  readonly statuses: Map<number, number>
  /** Requests by bucket; the last one is the overflow. */
  readonly buckets: number[]
  seconds: number
}

export interface RequestCounts {
  count(request: RequestSample): void
  /** Request totals. */
  totals(): Sample<'method' | 'route' | 'status'>[]
  /** Samples of a Prometheus histogram: cumulative buckets, count and sum of seconds. */
  durations(): readonly { readonly suffix: '_bucket' | '_count' | '_sum'; readonly sample: Sample }[]
}

/** Counts with a few lookups and no allocations: prom-client's own counters are several times slower. */
export function requestCounts(): RequestCounts {
  const routes = new Map<string, Map<string, Cell>>()
  const cells = (): Cell[] => [...routes.values()].flatMap((byMethod) => [...byMethod.values()])

  function addCell(route: string, method: string): Cell {
    const cell = { labels: { method, route }, statuses: new Map<number, number>(), buckets: bounds.map(() => 0).concat(0), seconds: 0 }
    const byMethod = routes.get(route) ?? new Map<string, Cell>()
    routes.set(route, byMethod.set(method, cell))
    return cell
  }

  return {
    count({ method, route = 'other', status, seconds }) {
      const known = methods.has(method) ? method : 'other'
      const cell = routes.get(route)?.get(known) ?? addCell(route, known)
      cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + 1)
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? Infinity)) bucket += 1
      cell.buckets[bucket] = (cell.buckets[bucket] ?? 0) + 1
      cell.seconds += seconds
    },
    totals: () =>
      cells().flatMap(({ labels, statuses }) =>
        [...statuses].map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value })),
      ),
    durations: () =>
      cells().flatMap(({ labels, buckets, seconds }) => {
        let total = 0
        const cumulative = buckets.map((value, index) => {
          total += value
          return { suffix: '_bucket' as const, sample: { labels: { ...labels, le: String(bounds[index] ?? '+Inf') }, value: total } }
        })
        return [
          ...cumulative,
          { suffix: '_count' as const, sample: { labels, value: total } },
          { suffix: '_sum' as const, sample: { labels, value: seconds } },
        ]
      }),
  }
}
