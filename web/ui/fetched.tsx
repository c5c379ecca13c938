// Lazy-loaded components.
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/**
 * Wraps a component that `load` imports; renders `fallback` until it is loaded. A load error is thrown to the nearest error
 * boundary, and retried by the next mount. After `preload` the first render already shows it.
 */
export function fetched<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback: ReactNode = null) {
  const useCode = lazyCode(load)
  function Fetched(props: Props) {
    const { Inner, error } = useCode(true)
    if (error !== undefined) throw error
    return Inner === undefined ? fallback : <Inner {...props} />
  }
  return Object.assign(Fetched, { preload: useCode.preload })
}

interface Outcome<Props> {
  readonly Inner?: ComponentType<Props> | undefined
  /** A new object after each failed attempt. */
  readonly error?: Error
}

/**
 * Makes a hook that loads the component when it is wanted, and again when it is wanted once more after an error.
 *
 * Not `lazy` and `Suspense`: React delays the replacement of a fallback by 300 ms, even if the code is already loaded.
 */
export function lazyCode<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | undefined
  const preload = async () => void (Loaded = await load())
  function useCode(isWanted: boolean): Outcome<Props> {
    const [outcome, setOutcome] = useState<Outcome<Props>>({ Inner: Loaded })
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
    }, [isMissing])
    return outcome
  }
  return Object.assign(useCode, { preload })
}
