// Programs that tests need and Debian has: which of them answer, and their installation by apt.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The first of these paths where a program answers. */
export function firstThatAnswers(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path) && answers(path))
}

/** Installs the first of these packages that can be installed; false if there is no apt, or it has none of them. */
export function installByApt(packages: readonly string[]): boolean {
  if (!existsSync('/usr/bin/apt-get')) return false
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const env = ['env', 'DEBIAN_FRONTEND=noninteractive']
  return (
    succeeds([...sudo, 'apt-get', 'update']) &&
    packages.some((name) => succeeds([...sudo, ...env, 'apt-get', 'install', '-y', '--no-install-recommends', name]))
  )
}

/** Runs a command with its output on this terminal. */
export function succeeds([program = '', ...args]: readonly string[]): boolean {
  console.log(`> ${program} ${args.join(' ')}`)
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

// Ubuntu's browser packages are stubs that only refer to another installer, so existence is not enough.
function answers(path: string): boolean {
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0
}
