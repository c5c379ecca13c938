// The studies panel of a page, which the active chart shows: whether it is open, and where the focus goes when it closes; its code is loaded on first use.
import { createContext, useCallback, useMemo, useRef, useState, type ComponentType } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { toast } from '#web/lib/toast.ts'
import type { StudiesPanelProps, StudiesView } from './studies-panel.tsx'

interface ShownPanel {
  readonly view: StudiesView
  readonly Panel: ComponentType<StudiesPanelProps>
  /** True once: a panel that moves to another chart, or comes back with one, leaves the focus where it is. */
  readonly takeFocus: () => boolean
}

export interface StudiesPanelControl {
  /** Undefined while it is closed. */
  readonly shown: ShownPanel | undefined
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
        ({ StudiesPanel }) => setShown({ view, Panel: StudiesPanel, takeFocus: once() }),
        () => toast({ kind: 'danger', text: kitText.partFailed }),
      )
    },
    [isOpen],
  )
  const close = useCallback(() => {
    setShown(undefined)
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
  }, [])
  const toggle = useCallback(() => (shown?.view === 'list' ? close() : open('list')), [shown, close, open])
  return useMemo(() => ({ shown, open, close, toggle }), [shown, open, close, toggle])
}

function once(): () => boolean {
  let isFirst = true
  return () => {
    const wasFirst = isFirst
    isFirst = false
    return wasFirst
  }
}

const ignore = () => undefined

/** Provided once for all charts of the page. */
export const StudiesPanelContext = createContext<StudiesPanelControl>({ shown: undefined, open: ignore, close: ignore, toggle: ignore })
