// Per-chart state in a multi-chart layout: own settings, and whether this chart is the active one.
import { createContext, useContext } from 'react'
import type { EnginePreference } from '#shared/chart/chart-choice.ts'

export interface CellChoices {
  readonly engine?: EnginePreference | undefined
  readonly style?: string | undefined
  readonly scale?: string | undefined
}

export interface Cell extends CellChoices {
  readonly isActive: boolean
  /** Whether the layout shows other charts as well. */
  readonly hasOthers: boolean
  readonly isCrosshairLinked: boolean
  readonly choose: (choices: CellChoices) => void
}

/** Undefined in a single-chart layout, which uses the settings of the browser. */
export const CellContext = createContext<Cell | undefined>(undefined)

export function useCell(): Cell | undefined {
  return useContext(CellContext)
}
