// Metrics of the Node.js process itself, instead of prom-client's larger default set.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Readers } from './metrics.ts'

const resolutionMs = 20

/** Readers of this process; measures the event loop from now on. */
export function processReaders(): Readers {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  // The histogram has the time between two samples, in nanoseconds.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3)
  return {
    tezi_event_loop_delay_seconds: () => {
      const samples = Object.entries({ median: delays.percentile(50), p99: delays.percentile(99), max: delays.max })
      delays.reset()
      return samples.map(([statistic, value]) => ({ labels: { statistic }, value: seconds(value) }))
    },
    process_cpu_seconds_total: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    process_resident_memory_bytes: () => process.memoryUsage.rss(),
    nodejs_heap_size_used_bytes: () => process.memoryUsage().heapUsed,
    process_start_time_seconds: () => performance.timeOrigin / 1e3,
  }
}
