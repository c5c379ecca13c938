// Redis behind a Sentinel: writes and messages go on after the primary is gone.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#server/testing/own-postgres.ts'
import { openRedis, redisRetryDelayMs } from './open-redis.ts'

const folder = mkdtempSync(join(tmpdir(), 'tezi-sentinel-'))
const password = 'p@ss word'
const children: ChildProcess[] = []
const clients: Redis[] = []
let primary: ChildProcess
let url: string

function start(args: readonly string[]): ChildProcess {
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  children.push(child)
  return child
}

beforeAll(async () => {
  const [first, second, sentinel] = [await freePort(), await freePort(), await freePort()]
  const common = ['--save', '', '--dir', folder, '--requirepass', password, '--masterauth', password]
  primary = start(['--port', String(first), ...common])
  start(['--port', String(second), '--replicaof', '127.0.0.1', String(first), ...common])
  const file = join(folder, 'sentinel.conf')
  const lines = [
    `port ${sentinel}`,
    `sentinel monitor tezi 127.0.0.1 ${first} 1`,
    `sentinel auth-pass tezi "${password}"`,
    'sentinel down-after-milliseconds tezi 500',
    'sentinel failover-timeout tezi 3000',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  start([file, '--sentinel'])
  url = `redis+sentinel://:${encodeURIComponent(password)}@tezi?sentinel=127.0.0.1:1&sentinel=127.0.0.1:${sentinel}`
  const watch = openRedis(`redis://127.0.0.1:${sentinel}`, { connectTimeout: 5_000, retryStrategy: () => 100 })
  clients.push(watch.on('error', () => {}))
  // The Sentinel must know the replica before it can promote it.
  while (!JSON.stringify(await watch.call('sentinel', 'replicas', 'tezi')).includes('"ok"')) await delay(100)
})

afterAll(() => {
  for (const client of clients) client.disconnect()
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function client(): Redis {
  const redis = openRedis(url, { connectTimeout: 5_000, retryStrategy: redisRetryDelayMs })
  clients.push(redis.on('error', () => {}))
  return redis
}

test('writes and messages go to the primary, and to its successor', async () => {
  const [writer, reader] = [client(), client()]
  const heard: string[] = []
  reader.on('message', (_channel, text) => heard.push(text))
  await reader.subscribe('news')
  await writer.set('key', 'before')
  const publish = (text: string) => async () => {
    await writer.publish('news', text).catch(() => {})
    return heard
  }
  await expect.poll(publish('first'), { timeout: 60_000 }).toContain('first')

  primary.kill('SIGKILL')
  await expect.poll(publish('second'), { timeout: 60_000, interval: 200 }).toContain('second')
  expect(await writer.set('key', 'after')).toBe('OK')
})
