// Starts an engine program that ends when we end, whatever ends us.
import { spawn, type ChildProcess } from 'node:child_process'
import { engineEnvironment, spawnAs, type Owner } from './owner.ts'

/**
 * The shell holds a pipe from us on its standard input. When we die, even by -9, the pipe closes, the reader sees its
 * end and asks the program for a fast, clean stop. The shell itself ignores the polite signals, because a service manager
 * sends them to everybody at once and the watch must outlive us. It reaps the reader, because as process 1 we reap
 * nobody but our own children.
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
  /** Resolves with the exit status once the program has left. */
  readonly ended: Promise<number>
  /** Asks for a clean stop, the same way our death would. */
  stop(): void
}

/** Open directories appear in the program as descriptors 3, 4, ...; `errorsTo` is a file descriptor or a pipe. */
export function supervise(command: string[], needs: { owner: Owner; directories: number[]; errorsTo: number | 'pipe' }): Supervised {
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
    ...spawnAs(needs.owner),
    cwd: '/',
    env: engineEnvironment,
    // Own session: Ctrl+C in the terminal is for us, and we then stop the engine after the last request.
    detached: true,
    stdio: ['pipe', 'ignore', needs.errorsTo, ...needs.directories],
  })
  child.stdin?.on('error', () => {})
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status) => resolve(status ?? 1))
  })
  ended.catch(() => {})
  return { child, ended, stop: () => child.stdin?.end() }
}
