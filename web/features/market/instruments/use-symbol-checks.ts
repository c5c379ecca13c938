// Loads symbols in the preview one after the other and keeps what became of each.
import { useCallback, useState } from 'react'
import { checkKey, type CheckResult, type SymbolCheck } from './setting-form.ts'

export interface SymbolChecks {
  /** The symbol that the preview shows now. */
  readonly current: SymbolCheck | undefined
  readonly resultOf: (check: SymbolCheck) => CheckResult
  /** Begins with the first of them that is not ready. */
  readonly start: (checks: readonly SymbolCheck[]) => void
  readonly finish: (check: SymbolCheck, result: CheckResult) => void
}

export function useSymbolChecks(): SymbolChecks {
  const [results, setResults] = useState<ReadonlyMap<string, CheckResult>>(new Map())
  const [queue, setQueue] = useState<readonly SymbolCheck[]>([])
  const finish = useCallback((check: SymbolCheck, result: CheckResult) => {
    setResults((before) => new Map([...before, [checkKey(check), result]]))
    setQueue((before) => before.filter((other) => checkKey(other) !== checkKey(check)))
  }, [])
  const current = queue[0]
  return {
    current,
    resultOf: (check) => {
      if (current !== undefined && checkKey(current) === checkKey(check)) return 'loading'
      return results.get(checkKey(check)) ?? 'waiting'
    },
    start: (checks) => setQueue(checks.filter((check) => results.get(checkKey(check)) !== 'ready')),
    finish,
  }
}
