// Previews of changed symbols, one after the other, and their results.
import { useCallback, useState } from 'react'
import type { InstrumentSetting } from '#shared/instruments/admin-instrument-contract.ts'
import { checkKey, checksOf, type CheckResult, type SymbolCheck } from './rules.ts'

export interface SymbolChecks {
  /** Checks that must pass before the setting is saved. */
  readonly required: readonly SymbolCheck[]
  readonly arePassed: boolean
  /** The admin saves without them. */
  readonly areSkipped: boolean
  readonly skip: (areSkipped: boolean) => void
  /** Symbol in the preview now. */
  readonly current: SymbolCheck | undefined
  readonly resultOf: (check: SymbolCheck) => CheckResult
  /** Starts with the first check that has not passed. */
  readonly start: () => void
  readonly finish: (check: SymbolCheck, result: CheckResult) => void
}

export function useSymbolChecks(setting: InstrumentSetting, saved: InstrumentSetting): SymbolChecks {
  const [results, setResults] = useState<ReadonlyMap<string, CheckResult>>(new Map())
  const [queue, setQueue] = useState<readonly SymbolCheck[]>([])
  const [areSkipped, skip] = useState(false)
  const finish = useCallback((check: SymbolCheck, result: CheckResult) => {
    setResults((before) => new Map([...before, [checkKey(check), result]]))
    setQueue((before) => before.filter((other) => checkKey(other) !== checkKey(check)))
  }, [])
  const current = queue[0]
  const required = checksOf(setting, saved)
  const resultOf = (check: SymbolCheck) => {
    if (current !== undefined && checkKey(current) === checkKey(check)) return 'loading'
    return results.get(checkKey(check)) ?? 'waiting'
  }
  return {
    required,
    arePassed: required.every((check) => resultOf(check) === 'ready'),
    areSkipped,
    skip,
    current,
    resultOf,
    start: () => setQueue(required.filter((check) => results.get(checkKey(check)) !== 'ready')),
    finish,
  }
}
