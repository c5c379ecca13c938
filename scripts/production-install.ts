// Proves that a build serves after `npm ci --omit=dev`, without development packages. Run after a build: node scripts/production-install.ts
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const root = path.resolve(import.meta.dirname, '..')
const readyMsMax = 120_000
const port = 61_000 + (process.pid % 4000)
const address = `http://127.0.0.1:${port}`
const folder = mkdtempSync(path.join(tmpdir(), 'tezi-production-'))
const tree = path.join(folder, 'tree')

try {
  copyTree()
  npm(['ci', '--omit=dev'])
  const dev = devPackages()
  if (dev.length > 0) throw new Error(`development packages were installed: ${dev.join(', ')}`)
  await serve()
  process.stdout.write('ok: a built tree serves without development packages\n')
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}

/** Copies what is deployed: the built page and the server's sources, without those of the page. */
function copyTree(): void {
  if (!existsSync(path.join(root, 'dist/web/index.html'))) throw new Error('dist has no page; run: npm run build')
  mkdirSync(tree)
  const files = ['.npmrc', 'package.json', 'package-lock.json', 'dist', 'server', 'shared']
  for (const name of [...files, 'scripts/bootstrap.mjs', 'scripts/exit-with-parent.mjs'])
    cpSync(path.join(root, name), path.join(tree, name), { recursive: true })
}

function npm(args: readonly string[]): void {
  const done = spawnSync('npm', args, { cwd: tree, stdio: 'inherit' })
  if (done.status !== 0) throw new Error(`npm ${args.join(' ')} failed`)
}

function devPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(tree, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true }>
  }
  return Object.entries(packages)
    .filter(([place, { dev }]) => dev === true && existsSync(path.join(tree, place)))
    .map(([place]) => place)
}

async function serve(): Promise<void> {
  const own = { ENV_FILE: 'none', PORT: String(port), DATA_DIR: path.join(folder, 'data'), MARKET_SOURCES: 'none' }
  const env = { ...process.env, NODE_ENV: 'production', ...own }
  const server = spawn('npm', ['start'], { cwd: tree, env, stdio: 'inherit' })
  const ended = once(server, 'exit')
  try {
    const untilMs = performance.now() + readyMsMax
    while ((await statusOf('/readyz')) !== 200) {
      if (server.exitCode !== null || performance.now() > untilMs) throw new Error('the server did not become ready')
      await delay(100)
    }
    if ((await statusOf('/')) !== 200) throw new Error('the page is not served')
  } finally {
    server.kill('SIGTERM')
  }
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`the stop ended with ${code}`)
}

function statusOf(page: string): Promise<number> {
  return fetch(address + page).then(
    (answer) => answer.status,
    () => 0,
  )
}
