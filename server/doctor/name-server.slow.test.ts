// `npx tezi doctor` where no name server answers, in a network of its own.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const unshare = ['--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
const mayUnshare = spawnSync('unshare', [...unshare, 'ip', 'link', 'set', 'lo', 'up']).status === 0
const folder = mkdtempSync(path.join(tmpdir(), 'tezi-name-server-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A name server that takes questions and is silent; it ends with the shell, which is process 1. */
const script = `
ip link set lo up && mount --bind "$RESOLV" /etc/resolv.conf || exit 99
"$NODE" -e "require('node:dgram').createSocket('udp4').bind(53, '127.0.0.1')" &
"$NODE" scripts/tezi.ts doctor --json
`

test.runIf(mayUnshare)('it ends without waiting for the lookups, and judges the machine all the same', () => {
  const RESOLV = path.join(folder, 'resolv.conf')
  // Each lookup waits for two and a half minutes.
  writeFileSync(RESOLV, 'nameserver 127.0.0.1\noptions timeout:30 attempts:5\n')
  const env = {
    PATH: process.env['PATH'] ?? '',
    RESOLV,
    NODE: process.execPath,
    ENV_FILE: 'none',
    DATA_DIR: path.join(folder, 'data'),
    PUBLIC_URL: 'https://tezi.example',
    SMTP_URL: 'smtp://mail.tezi.example:587',
    MARKET_SOURCES: 'binance,coinbase,kraken',
  }
  const root = path.resolve(import.meta.dirname, '../..')
  const run = spawnSync('unshare', [...unshare, 'sh', '-c', script], { cwd: root, env, encoding: 'utf8', timeout: 120_000 })
  expect(run.signal).toBeNull()
  const { results } = JSON.parse(run.stdout) as { results: { name: string; status: string }[] }
  const byName = Object.fromEntries(results.map(({ name, status }) => [name, status]))
  expect(byName).toMatchObject({ 'data folder': 'ok', PORT: 'ok', 'public address': 'failed', 'source binance': 'failed', mail: 'failed' })
})
