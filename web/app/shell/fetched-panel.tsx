// A panel whose code is fetched at its first opening, or before it; a failed fetch is said and can be repeated.
import { useEffect, useState, type ComponentType } from 'react'
import { marketText } from '#shared/text/en/market.ts'
import { toast } from '#web/ui/toast.tsx'

interface Openable {
  readonly isOpen: boolean
}

export interface FetchedPanel<Props extends Openable> {
  readonly Panel: ComponentType<Props>
  /** Fetches the code; says nothing where that fails. */
  readonly prepare: () => void
}

/** Not by Suspense: it would hold back even a panel that is already there for a third of a second. */
export function fetchedPanel<Props extends Openable>(load: () => Promise<ComponentType<Props>>): FetchedPanel<Props> {
  let Inner: ComponentType<Props> | undefined
  const ensure = async () => {
    Inner ??= await load()
  }
  function Panel(props: Props) {
    const [isReady, setIsReady] = useState(Inner !== undefined)
    const isMissing = props.isOpen && !isReady
    useEffect(() => {
      if (!isMissing) return
      ensure().then(
        () => setIsReady(true),
        () => toast({ kind: 'danger', text: marketText.panelFailed }),
      )
    }, [isMissing])
    return isReady && Inner !== undefined ? <Inner {...props} /> : null
  }
  return { Panel, prepare: () => void ensure().catch(() => undefined) }
}
