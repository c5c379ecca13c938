// Where a chart puts its tools on phones: the bar at the bottom of the screen, which belongs to the active chart.
import { createContext, useContext } from 'react'
import { useCell } from './cell-context.ts'

/** Portal target; null until it is there, undefined where each chart has its tools above it. */
export const ToolSlotContext = createContext<HTMLElement | null | undefined>(undefined)

/** Null for a chart that is not the active one. */
export function useToolSlot(): HTMLElement | null | undefined {
  const slot = useContext(ToolSlotContext)
  const cell = useCell()
  return slot === undefined || cell === undefined || cell.isActive ? slot : null
}
