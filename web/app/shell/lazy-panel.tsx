// Panel whose code is loaded when it first opens, or before; a load error is shown, and retried when it opens again.
import { useEffect, type ComponentType } from 'react'
import { marketText } from '#shared/text/en/market.ts'
import { lazyCode } from '#web/ui/fetched.tsx'
import { toast } from '#web/ui/toast.tsx'

interface Openable {
  readonly isOpen: boolean
}

export interface FetchedPanel<Props extends Openable> {
  readonly Panel: ComponentType<Props>
  /** Preloads the code; ignores errors. */
  readonly prepare: () => void
}

export function fetchedPanel<Props extends Openable>(load: () => Promise<ComponentType<Props>>): FetchedPanel<Props> {
  const useCode = lazyCode(load)
  function Panel(props: Props) {
    const { Inner, error } = useCode(props.isOpen)
    useEffect(() => {
      if (error !== undefined) toast({ kind: 'danger', text: marketText.panelFailed })
    }, [error])
    return Inner === undefined ? null : <Inner {...props} />
  }
  return { Panel, prepare: () => void load().catch(() => undefined) }
}
