// Place of the drawing tools: one for all charts, left of them, and below them on small screens.
import { createContext, useContext, type Ref } from 'react'
import { createPortal } from 'react-dom'
import { toolRailClass } from './tool-rail-class.ts'

/** Element beside the charts; null until it is there. */
export const ToolRailContext = createContext<HTMLElement | null>(null)

/** Rendered by the active chart: reserves the place before the tools have loaded, so that the candles do not move. */
export function ToolRail({ place }: { readonly place: Ref<HTMLDivElement> }) {
  const rail = useContext(ToolRailContext)
  if (rail === null) return null
  return createPortal(<div ref={place} data-testid="tool-rail" className={toolRailClass} />, rail)
}
