// Development: runs the embedded database for the whole session, Vite, and the server, which restarts on each change.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { readProcessConfig } from '#server/config/config.ts'
import { openEmbeddedServer, type EmbeddedServer } from '#server/engine/open-embedded-server.ts'

const root = join(import.meta.dirname, '..')
const exitWithParent = new URL('./exit-with-parent.mjs', import.meta.url).href
/** Editors write a file in several steps. */
const debounceMs = 50

/** A child on this Node that also stops when this process is killed. `node --watch` would survive. */
function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--import', exitWithParent, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  })
  return { ended: once(child, 'exit'), stop: () => child.kill('SIGTERM') }
}

/** Keeps the server running: restarts it on each change of its sources, and after a crash. */
function startServer(nodeFlags: readonly string[], environment: Readonly<Record<string, string>>) {
  const run = () => start([...nodeFlags, 'server/main.ts'], environment)
  let server = run()
  let timer: NodeJS.Timeout | undefined
  let restarting: Promise<void> | undefined
  async function restart() {
    server.stop()
    await server.ended
    server = run()
    restarting = undefined
  }
  const watchers = ['server', 'shared'].map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (file === null || !/(?<!\.test)\.(ts|json|sql)$/.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        restarting ??= restart()
      }, debounceMs)
    }),
  )
  return async function close() {
    for (const watcher of watchers) watcher.close()
    clearTimeout(timer)
    await restarting
    server.stop()
    await server.ended
  }
}

async function openDatabase(): Promise<EmbeddedServer | undefined> {
  const config = readProcessConfig()
  if (config.databaseUrl !== undefined) return undefined
  const server = await openEmbeddedServer({ dataDir: config.dataDir, log: (line) => console.log(line) })
  console.log(`Embedded PostgreSQL in ${server.dataDir}`)
  return server
}

try {
  // Vite needs no database, so both start together.
  const vite = start(['node_modules/vite/bin/vite.js', '--clearScreen', 'false', '--logLevel', 'warn'])
  const database = await openDatabase()
  const closeServer = startServer(process.argv.slice(2), database === undefined ? {} : { DATABASE_URL: database.databaseUrl })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vite.stop())
  const [exitCode] = (await vite.ended) as [number | null]
  await closeServer()
  await database?.close()
  process.exit(exitCode ?? 0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
