// Counts the system calls that flush the disk during 100 sign-ups: each acknowledged commit needs one.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { enginePids } from './engine-pids.ts'
import { signUp, startServer, type ServerProcess } from './server-process.ts'

const peopleCount = 100

if (spawnSync('strace', ['-V']).error) {
  console.log('strace is not installed, so flushes cannot be counted here (Debian: apt-get install strace).')
  process.exit(1)
}
const root = await mkdtemp(path.join(tmpdir(), 'tezi-syncs-'))
const dataDir = path.join(root, 'data')
const server = await startServer(dataDir)
try {
  const oneByOne = await countSyncs('one-by-one', async () => {
    for (let n = 0; n < peopleCount; n += 1) await mustSignUp(server, `alone${n}`)
  })
  const together = await countSyncs('together', async () => {
    await Promise.all(Array.from({ length: peopleCount }, (_, n) => mustSignUp(server, `together${n}`)))
  })
  console.table({ 'sign-ups': peopleCount, 'flushes, one after the other': oneByOne, 'flushes, all at once (commits share)': together })
  // A single commit needs its own flush. Concurrent commits may share one, so at least one is required.
  if (oneByOne < peopleCount || together < 1) {
    console.log('Commits were acknowledged without a flush.')
    process.exitCode = 1
  }
} finally {
  await server.end('SIGTERM')
  await rm(root, { recursive: true, force: true })
}

async function mustSignUp(target: ServerProcess, name: string): Promise<void> {
  if (!(await signUp(target.address, `${name}@sync.example`))) throw new Error(`sign-up of ${name} was refused:\n${target.output()}`)
}

/** Flushes of the engine's processes, new ones included, while `work` runs. */
async function countSyncs(name: string, work: () => Promise<void>): Promise<number> {
  const watched = enginePids(path.join(dataDir, 'postgres', 'data'))
  if (watched.length === 0) throw new Error('no process of the embedded PostgreSQL was found')
  const file = path.join(root, `${name}.trace`)
  const tracer = spawn('strace', ['-f', '-o', file, '-e', 'trace=fsync,fdatasync', ...watched.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let reported = ''
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => (reported += text))
  while ((reported.match(/attached/g) ?? []).length < watched.length) {
    if (tracer.exitCode !== null) throw new Error(`strace cannot watch the engine: ${reported}`)
    await delay(10)
  }
  await work()
  const gone = once(tracer, 'exit')
  tracer.kill('SIGINT')
  await gone
  return ((await readFile(file, 'utf8')).match(/\b(fsync|fdatasync)\(/g) ?? []).length
}
