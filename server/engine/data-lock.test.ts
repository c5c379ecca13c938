// Locks of a data directory: stale ones are taken over, live ones never.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir, processBirth, processSpace } from './data-lock.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tezi-lock-'))
  await mkdir(join(folder, 'lock'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const birth = processBirth(process.ppid) ?? ''
const claims = () => readdir(join(folder, 'lock'))
const claim = (name: string) => writeFile(join(folder, 'lock', name), 'held')

test.each([
  ['of a process that is gone', () => `999999999_1_${processSpace()}_a`],
  ['whose PID was reused', () => `${process.ppid}_1_${processSpace()}_a`],
  ['of another container without a heartbeat', () => `${process.ppid}_${birth}_elsewhere_a`],
])('a lock %s is taken over', async (_what, name) => {
  await claim(name())
  const lock = await lockDataDir(folder)
  expect(await claims()).toHaveLength(1)
  expect(await claims()).not.toContain(name())
  await lock.release()
  expect(await claims()).toEqual([])
})

test('the lock of a live process is kept', async () => {
  const name = `${process.ppid}_${birth}_${processSpace()}_a`
  await claim(name)
  await expect(lockDataDir(folder)).rejects.toThrow(`${folder} is in use by another Tezi process (pid ${process.ppid})`)
  expect(await claims()).toEqual([name])
})

test('a heartbeat from another container keeps the lock', async () => {
  const name = '1_5_elsewhere_a'
  await claim(name)
  const beat = setInterval(() => void utimes(join(folder, 'lock', name), new Date(), new Date()), 50)
  try {
    await expect(lockDataDir(folder)).rejects.toThrow('(pid 1 in another container or machine)')
  } finally {
    clearInterval(beat)
  }
  expect(await claims()).toEqual([name])
})

test('a zombie process counts as dead', async () => {
  const parent = spawn('/bin/sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
  const [shown] = await once(parent.stdout.setEncoding('utf8'), 'data')
  const pid = Number(shown)
  // Once the shell has become `sleep`, which never reaps the child.
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => processBirth(pid)).toBeUndefined()
  expect(() => process.kill(pid, 0)).not.toThrow()
  parent.kill('SIGKILL')
})
