// Whether the studies panel is open, and where the focus goes when it closes; its code is loaded on first use.
import { useCallback, useRef, useState, type ComponentType } from 'react'
import { marketText } from '#shared/text/en/market.ts'
import { toast } from '#web/lib/toast-queue.ts'
import type { StudiesPanelProps, StudiesView } from './studies-panel.tsx'

export interface StudiesPanelControl {
  /** Undefined while it is closed. */
  readonly shown: { readonly view: StudiesView; readonly Panel: ComponentType<StudiesPanelProps> } | undefined
  readonly open: (view: StudiesView) => void
  readonly close: () => void
  /** Opens or closes the list. */
  readonly toggle: () => void
}

export function useStudiesPanel(): StudiesPanelControl {
  const [shown, setShown] = useState<StudiesPanelControl['shown']>()
  const opener = useRef<Element>(null)
  const isOpen = shown !== undefined
  const open = useCallback(
    (view: StudiesView) => {
      if (!isOpen) opener.current = document.activeElement
      import('./studies-panel.tsx').then(
        ({ StudiesPanel }) => setShown({ view, Panel: StudiesPanel }),
        () => toast({ kind: 'danger', text: marketText.panelFailed }),
      )
    },
    [isOpen],
  )
  const close = useCallback(() => {
    setShown(undefined)
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
  }, [])
  const toggle = useCallback(() => (shown?.view === 'list' ? close() : open('list')), [shown, close, open])
  return { shown, open, close, toggle }
}
