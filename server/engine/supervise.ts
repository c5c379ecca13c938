// Starts an engine program that stops when this process ends, for any reason.
import { spawn, type ChildProcess } from 'node:child_process'
import { engineEnvironment, spawnAs, type OsUser } from './os-user.ts'

/**
 * The shell holds a pipe from us on its standard input. When we die, even by SIGKILL, the pipe closes, the reader sees
 * EOF and asks the program for a fast, clean stop. The shell itself ignores SIGTERM and SIGINT, because a service manager
 * sends them to all processes at once and the watchdog must outlive us. It reaps the reader, because as process 1 we reap
 * only our own children.
 */
const script = `
trap '' INT TERM HUP
"$@" &
program=$!
exec 9<&0
( while read -r _; do :; done <&9; kill -INT $program ) &
watcher=$!
wait $program
status=$?
kill -9 $watcher 2>/dev/null
wait $watcher 2>/dev/null
exit $status
`

export interface Supervised {
  readonly child: ChildProcess
  /** Resolves with the exit status once the program has ended. */
  readonly ended: Promise<number>
  /** Requests a clean stop, in the same way as our death would. */
  stop(): void
}

/** Open directories appear in the program as descriptors 3, 4, ...; `errorsTo` is a file descriptor or a pipe. */
export function supervise(command: string[], options: { owner: OsUser; directories: number[]; errorsTo: number | 'pipe' }): Supervised {
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
    ...spawnAs(options.owner),
    cwd: '/',
    env: engineEnvironment,
    // A separate session: Ctrl+C in the terminal is for us, and we then stop the engine after the last request.
    detached: true,
    stdio: ['pipe', 'ignore', options.errorsTo, ...options.directories],
  })
  child.stdin?.on('error', () => {})
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status) => resolve(status ?? 1))
  })
  ended.catch(() => {})
  return { child, ended, stop: () => child.stdin?.end() }
}
