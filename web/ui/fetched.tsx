// Lazy-loaded components.
import { useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { reloadIfNeeded } from '#web/lib/load-part.ts'
import { PartFailed, type PartFailedProps } from './part-failed.tsx'

/** A part that is missing is asked for again this often. */
const againMs = 30_000

/**
 * Wraps a component that `load` imports; renders `fallback` until it is loaded, and `Failed` in its place if it cannot be. That ends
 * by itself when the browser is online again. After `preload` the first render already shows the component.
 */
export function fetched<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
  Failed: ComponentType<PartFailedProps> = PartFailed,
) {
  const useCode = lazyCode(load)
  function Fetched(props: Props) {
    const { Inner, error, retry, retrySoon } = useCode(true)
    useEffect(() => {
      if (error === undefined) return undefined
      const timer = setTimeout(retrySoon, againMs)
      addEventListener('online', retrySoon)
      return () => {
        clearTimeout(timer)
        removeEventListener('online', retrySoon)
      }
    }, [error, retrySoon])
    if (Inner !== undefined) return <Inner {...props} />
    return error === undefined ? fallback : <Failed onRetry={retry} />
  }
  return Object.assign(Fetched, { preload: useCode.preload })
}

interface Outcome<Props> {
  readonly Inner?: ComponentType<Props> | undefined
  /** A new object after each failed attempt. */
  readonly error?: Error
}

interface Code<Props> extends Outcome<Props> {
  /** Of a person: forgets the error. */
  readonly retry: () => void
  /** Keeps showing the error until the component is here. */
  readonly retrySoon: () => void
}

/**
 * Makes a hook that loads the component when it is wanted, and again when it is wanted once more after an error.
 *
 * Not `lazy` and `Suspense`: React delays the replacement of a fallback by 300 ms, even if the code is already loaded.
 */
export function lazyCode<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | undefined
  const preload = async () => void (Loaded = await load())
  function useCode(isWanted: boolean): Code<Props> {
    const [outcome, setOutcome] = useState<Outcome<Props>>({ Inner: Loaded })
    const [attempt, setAttempt] = useState(0)
    const isMissing = isWanted && outcome.Inner === undefined
    useEffect(() => {
      if (!isMissing) return
      load().then(
        (Inner) => {
          Loaded = Inner
          setOutcome({ Inner })
        },
        (error: unknown) => setOutcome({ error: new Error('A part of the page could not be fetched', { cause: error }) }),
      )
    }, [isMissing, attempt])
    const retrySoon = useCallback(() => setAttempt((before) => before + 1), [])
    const retry = useCallback(() => {
      setOutcome({})
      void reloadIfNeeded().then(retrySoon)
    }, [retrySoon])
    return { ...outcome, retry, retrySoon }
  }
  return Object.assign(useCode, { preload })
}
