// Prometheus with the committed configuration and rules, for the drill of the alerts.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { freePort } from '#server/testing/own-postgres.ts'

const rulesFolder = path.resolve(import.meta.dirname, '../../deploy/prometheus')
const startMs = 30_000
const alertSchema = z.object({ state: z.enum(['pending', 'firing']), labels: z.object({ alertname: z.string() }).catchall(z.string()) })
const alertsSchema = z.object({ data: z.object({ alerts: z.array(alertSchema) }) })

export type PrometheusAlert = z.infer<typeof alertSchema>

export interface Prometheus {
  alerts(): Promise<readonly PrometheusAlert[]>
  stop(): Promise<void>
}

export interface PrometheusOptions {
  readonly folder: string
  /** `host:port` of each process. */
  readonly targets: readonly string[]
  /** All intervals, `for:` times and ranges of the committed files are divided by this. */
  readonly divideBy: number
}

/** Whether Prometheus is installed. */
export function hasPrometheus(): boolean {
  return spawnSync('prometheus', ['--version']).status === 0
}

/** Starts it with the committed files, without a receiver of alerts. */
export async function startPrometheus({ folder, targets, divideBy }: PrometheusOptions): Promise<Prometheus> {
  const config = replaced(readCommitted('prometheus.yml'), [
    [`['127.0.0.1:9464']`, `[${targets.map((target) => `'${target}'`).join(', ')}]`],
    [`['127.0.0.1:9093']`, '[]'],
  ])
  writeFileSync(path.join(folder, 'prometheus.yml'), divided(config, divideBy))
  writeFileSync(path.join(folder, 'alerts.yml'), divided(readCommitted('alerts.yml'), divideBy))
  const port = await freePort()
  const args = ['--config.file', 'prometheus.yml', '--storage.tsdb.path', 'metrics', '--web.listen-address', `127.0.0.1:${port}`]
  const child = spawn('prometheus', [...args, '--log.level', 'warn'], { cwd: folder, stdio: 'ignore' })
  const exited = once(child, 'exit')
  const get = async (route: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${route}`, { signal: AbortSignal.timeout(5_000) })
  const isReady = (): Promise<boolean> =>
    get('/-/ready').then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    )
  const beginMs = performance.now()
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - beginMs > startMs) throw new Error('Prometheus did not start')
    await delay(50)
  }
  return {
    alerts: async () => alertsSchema.parse(await (await get('/api/v1/alerts')).json()).data.alerts,
    async stop() {
      child.kill()
      await exited
    },
  }
}

function readCommitted(name: string): string {
  return readFileSync(path.join(rulesFolder, name), 'utf8')
}

function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  for (const [old] of pairs) if (!text.includes(old)) throw new Error(`prometheus.yml has no ${old}`)
  return pairs.reduce((result, [old, fresh]) => result.replace(old, fresh), text)
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 }

/** Times of `for:`, intervals and ranges; ages in expressions are thresholds and stay. */
function divided(text: string, by: number): string {
  const shorter = (count: string, unit: string): string => `${Math.max(1, Math.round((Number(count) * (secondsOf[unit] ?? 1)) / by))}s`
  return text
    .replaceAll(/((?:for|_interval): )(\d+)([smh])/g, (_, name: string, count: string, unit: string) => name + shorter(count, unit))
    .replaceAll(/\[(\d+)([smh])\]/g, (_, count: string, unit: string) => `[${shorter(count, unit)}]`)
}
