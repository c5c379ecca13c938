// The command `tezi` that operators install from deploy/systemd, with the environment that cron gives it.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const isRoot = process.getuid?.() === 0 && existsSync('/usr/sbin/runuser')

test.runIf(isRoot)('cron can run it: it finds its programs without sbin in PATH, and runs as the user of the service', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tezi-command-'))
  chmodSync(folder, 0o755)
  try {
    mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true })
    writeFileSync(path.join(folder, 'node_modules/.bin/node'), '#!/bin/sh\necho "$(id -un) $ENV_FILE $*"\n', { mode: 0o755 })
    const command = readFileSync(path.resolve(import.meta.dirname, '../deploy/systemd/tezi'), 'utf8')
      .replace('/opt/tezi/current', folder)
      .replace('--user tezi', '--user nobody')
    const run = spawnSync('/bin/sh', ['-c', command, 'tezi', 'verify-backup'], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' })
    expect(run).toMatchObject({ status: 0, stderr: '', stdout: 'nobody /etc/tezi/tezi.env scripts/tezi.ts verify-backup\n' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
