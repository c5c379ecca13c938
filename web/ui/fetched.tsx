// A component whose code is fetched when it is first shown.
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/**
 * Wraps a component that `load` fetches; until it is there `fallback` is drawn. A failed fetch is thrown to the nearest error
 * screen, and tried again by the next one that is mounted.
 *
 * Not `lazy` and `Suspense`: React holds what replaces a fallback back for 300 ms, also where the code is there already.
 */
export function fetched<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback: ReactNode = null) {
  let Loaded: ComponentType<Props> | undefined
  return function Fetched(props: Props) {
    const [{ Inner, error }, setOutcome] = useState<Outcome<Props>>({ Inner: Loaded })
    const isMissing = Inner === undefined
    useEffect(() => {
      if (!isMissing) return
      load().then(
        (Component) => {
          Loaded = Component
          setOutcome({ Inner: Component })
        },
        (error: unknown) => setOutcome({ error: new Error('A part of the page could not be fetched', { cause: error }) }),
      )
    }, [isMissing])
    if (error !== undefined) throw error
    return Inner === undefined ? fallback : <Inner {...props} />
  }
}

interface Outcome<Props> {
  readonly Inner?: ComponentType<Props> | undefined
  readonly error?: Error
}
