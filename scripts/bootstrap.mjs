// Entry of every npm command: installs what is missing, then runs the Node pinned by the lockfile. Plain JavaScript, runs on Node 20.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'
/** The package of the lockfile that brings Node for this system, where there is one. */
const runtimePackage = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
const binFolder = join(root, 'node_modules', '.bin')
const buildStampFile = join(root, 'dist', 'build.stamp')
const builtPage = join(root, 'dist', 'web', 'index.html')

// `prune` leaves the packages that run, for a server.
const prune = () => install({ withDev: false })
const check = script('scripts/check.ts', 2)
const seed = script('scripts/seed.ts', 3)
const tezi = script('scripts/tezi.ts', 3, { withDev: false })
const commands = { start, dev, debug: () => dev(['--inspect']), seed, build, prune, test: check, check, tezi }
const command = commands[process.argv[2]]
if (command === undefined) fail(`Usage: node scripts/bootstrap.mjs ${Object.keys(commands).join('|')}`)
/** The running program, and the first received signal, which is forwarded to it. */
let running
let stopSignal
process.chdir(root)
// Before anything else: the kernel drops signals without a handler for process 1.
passOnSignals()
await command()

/** The product: builds the page if its sources changed, then runs the server and exits with its exit code. */
async function start() {
  // Build and test packages are not needed once the page is built.
  if (isBuilt()) await installMissing({ withDev: false })
  else await build()
  process.exit(await run(['server/main.ts']))
}

/** Development without a build: Vite serves the pages, and the server prints Vite's address. */
async function dev(nodeFlags = []) {
  await installMissing()
  // Vite reads some of them too, and they override the defaults of development.
  const envFile = process.env.ENV_FILE || '.env'
  if (existsSync(envFile)) process.loadEnvFile?.(envFile)
  process.env.PUBLIC_URL ??= `http://localhost:${process.env.WEB_PORT || 5173}`
  process.env.NODE_ENV ||= 'development'
  process.exit(await run(['scripts/dev.ts', ...nodeFlags]))
}

/** Runs a script with the arguments from this one on; relative file names are resolved from the project folder. */
function script(file, firstArgument, packages) {
  return async () => {
    await installMissing(packages)
    process.exit(await run([file, ...process.argv.slice(firstArgument)]))
  }
}

/** Builds the page unless the stamp shows that dist was built from the same sources. */
async function build() {
  await installMissing()
  if (isBuilt()) return
  const sources = hashSources()
  const startMs = performance.now()
  console.log('Building the pages, which takes about half a minute:')
  rmSync(buildStampFile, { force: true })
  const status = await run(['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
  if (status !== 0) process.exit(status)
  writeFileSync(buildStampFile, `${sources} ${hashFile(builtPage)}`)
  console.log(`The pages are built (${Math.round((performance.now() - startMs) / 1000)} s).`)
}

/** Whether dist was built from the same sources; without the sources, whether dist exists. */
function isBuilt() {
  if (!existsSync(join(root, 'web'))) return existsSync(builtPage)
  return readText(buildStampFile) === `${hashSources()} ${hashFile(builtPage)}`
}

async function installMissing({ withDev = true } = {}) {
  linkPinnedNode()
  if (!isInstalled(withDev)) await install({ withDev })
}

async function install({ withDev }) {
  console.log('Installing packages (npm ci) ...')
  // .npmrc disables install scripts: scripts/lockfile.test.ts lists the packages that have one, and none needs it.
  // The engine check is off because only this file runs on the machine's own Node.
  const flags = [withDev ? '--include=dev' : '--omit=dev', '--include=optional', '--engine-strict=false', '--loglevel=error']
  const status = await runProgram('npm', ['ci', ...flags], {
    stdio: 'inherit',
    shell: isWindows,
    env: { ...process.env, PATH: machinePath(), NODE_OPTIONS: npmNodeOptions() },
  })
  if (stopSignal !== undefined) process.exit(status)
  if (status !== 0) fail('npm ci failed; see above.')
  linkPinnedNode()
}

/**
 * npm omits optional packages whose `engines` reject its own Node, and --force does not change that. They run on the
 * Node of the lockfile, so npm is given that version.
 */
function npmNodeOptions() {
  const own = process.env.NODE_OPTIONS ?? ''
  const pinned = readPackages(join(root, 'package-lock.json'))?.[`node_modules/${runtimePackage}`]?.version
  if (pinned === undefined) return own
  return `${own} --import=data:text/javascript,Object.defineProperty(process,'version',{value:'v${pinned}'})`
}

/** npm 9 does not link the program of an optional package that several packages offer. */
function linkPinnedNode() {
  const linked = join(binFolder, 'node')
  if (isWindows || existsSync(linked) || !existsSync(join(root, 'node_modules', runtimePackage, 'bin', 'node'))) return
  mkdirSync(binFolder, { recursive: true })
  rmSync(linked, { force: true })
  symlinkSync(join('..', runtimePackage, 'bin', 'node'), linked)
}

/**
 * Whether node_modules matches package-lock.json. npm writes node_modules/.package-lock.json
 * last, so that file is the stamp; comparing it takes a few milliseconds.
 */
function isInstalled(withDev) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  const wanted = readPackages(join(root, 'package-lock.json'))
  if (installed === undefined || wanted === undefined) return false
  const isAsWanted = Object.entries(wanted).every(([path, entry]) => {
    const found = installed[path]
    if (path === '' || entry.link || (entry.dev && !withDev)) return true
    // Optional packages are for one system each; npm skips the others.
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
  if (isWindows) return join(root, 'node_modules', runtimePackage, 'bin', 'node.exe')
  const linked = join(binFolder, 'node')
  const isPinnedHere = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(`${process.platform}-${process.arch}`)
  if (isPinnedHere) return linked
  if (Number(process.versions.node.split('.')[0]) < 26) fail('No Node 26 comes with the packages for this system; please install one.')
  return process.execPath
}

/** PATH without this project's programs: npm must not run on a Node that it is about to delete. */
function machinePath() {
  const parts = (process.env.PATH ?? '').split(delimiter)
  return parts.filter((part) => !part.endsWith(join('node_modules', '.bin'))).join(delimiter)
}

function childEnvironment() {
  // The compile cache makes a start of the server a third of a second faster.
  const cache = { NODE_COMPILE_CACHE: join(root, '.cache', 'compile') }
  return { ...cache, ...process.env, PATH: `${binFolder}${delimiter}${machinePath()}` }
}

/** Runs a program on the pinned Node; its IPC channel closes when we die in any way, which makes it exit. */
function run(args) {
  const exitWithParent = new URL('./exit-with-parent.mjs', import.meta.url).href
  return runProgram(pinnedNode(), ['--import', exitWithParent, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: childEnvironment(),
  })
}

/**
 * Runs a program until it ends and returns its exit code, or 128 plus the signal's number.
 * It has its own process group, so that Ctrl-C reaches it once, through us.
 */
async function runProgram(file, args, options) {
  running = spawn(file, args, { ...options, detached: !isWindows })
  const [code, signal] = await once(running, 'exit')
  running = undefined
  return code ?? exitCodeOf(signal)
}

function exitCodeOf(signal) {
  return 128 + constants.signals[signal]
}

/** Forwards only the first signal: a terminal and npm both send one for a single Ctrl-C, and every program here stops at one. */
function passOnSignals() {
  const passOn = (signal) => {
    if (stopSignal !== undefined) return
    stopSignal = signal
    if (running === undefined) process.exit(exitCodeOf(signal))
    running.kill(signal)
  }
  process.on('SIGINT', () => passOn('SIGINT'))
  process.on('SIGTERM', () => passOn('SIGTERM'))
  process.on('SIGHUP', () => passOn('SIGTERM'))
  if (process.env.npm_lifecycle_event !== undefined) watchNpm(() => passOn('SIGTERM'))
}

/** Calls back when npm is gone: a stopped npm ends the shell between us but not us, and a killed one not even the shell. */
function watchNpm(onGone) {
  const line = ancestors()
  const timer = setInterval(() => {
    if (ancestors() === line) return
    clearInterval(timer)
    onGone()
  }, 250)
  timer.unref()
}

/** Our parent and, on Linux, the parent's parent. */
function ancestors() {
  const stat = process.platform === 'linux' ? readText(`/proc/${process.ppid}/stat`) : undefined
  // The name of the program, in parentheses, may contain anything; the parent is the second field after it.
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
