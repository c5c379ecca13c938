// A result of `npx tezi doctor`, and the runner that limits each check in time.

export type CheckStatus = 'ok' | 'warning' | 'failed'

export interface CheckResult {
  readonly name: string
  readonly status: CheckStatus
  /** What was found. */
  readonly message: string
  /** What the operator should do; absent for `ok`. */
  readonly action?: string
}

export interface Check {
  /** Name of the result if the check throws or takes too long. */
  readonly name: string
  readonly run: (signal: AbortSignal) => Promise<readonly CheckResult[]>
}

export const ok = (name: string, message: string): CheckResult => ({ name, status: 'ok', message })

export const warning = (name: string, message: string, action: string): CheckResult => ({ name, status: 'warning', message, action })

export const failed = (name: string, message: string, action: string): CheckResult => ({ name, status: 'failed', message, action })

/**
 * Runs all checks concurrently and returns their results in order. A check that throws, or does not end within `timeoutMs`,
 * is a failed result; its signal is aborted.
 */
export async function runChecks(checks: readonly Check[], timeoutMs: number): Promise<CheckResult[]> {
  const results = await Promise.all(checks.map((check) => runCheck(check, timeoutMs)))
  return results.flat()
}

async function runCheck({ name, run }: Check, timeoutMs: number): Promise<readonly CheckResult[]> {
  const controller = new AbortController()
  const late = Promise.withResolvers<readonly CheckResult[]>()
  const timer = setTimeout(() => {
    late.resolve([
      failed(name, `no result within ${timeoutMs / 1_000} s`, 'See whether the machine, its network or its disk is overloaded.'),
    ])
    controller.abort()
  }, timeoutMs)
  try {
    return await Promise.race([run(controller.signal), late.promise])
  } catch (error) {
    return [failed(name, `the check itself failed: ${error instanceof Error ? error.message : String(error)}`, 'Report this line.')]
  } finally {
    clearTimeout(timer)
  }
}
