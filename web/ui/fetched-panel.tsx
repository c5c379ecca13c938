// Panel whose code is loaded when it first opens, or before; a load error is shown, and retried when it opens again.
import { useEffect, type ComponentType } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { afterStart } from '#web/lib/after.ts'
import { lazyCode } from './fetched.tsx'
import { toast } from '#web/lib/toast.ts'

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
      if (error !== undefined) toast({ kind: 'danger', text: kitText.partFailed })
    }, [error])
    return Inner === undefined ? null : <Inner {...props} />
  }
  return { Panel, prepare: () => void load().catch(() => undefined) }
}

/** Preloads panels after the start, so that they open at once and also offline; the list must be a constant. */
export function usePanelsSoon(panels: readonly { readonly prepare: () => void }[]): void {
  useEffect(() => afterStart(() => panels.forEach((panel) => panel.prepare())), [panels])
}
