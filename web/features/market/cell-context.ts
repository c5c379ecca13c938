// What a chart of several has for itself: its own choices, and whether it is the one that the bars of the page act on.
import { createContext, useContext } from 'react'
import type { EnginePreference } from '#shared/market/engine-choice.ts'

export interface CellChoices {
  readonly engine?: EnginePreference | undefined
  readonly style?: string | undefined
  readonly scale?: string | undefined
}

export interface Cell extends CellChoices {
  readonly isActive: boolean
  /** Whether other charts stand beside it. */
  readonly hasOthers: boolean
  readonly isCrosshairLinked: boolean
  readonly choose: (choices: CellChoices) => void
}

/** Undefined for a chart alone, whose choices are those of the browser. */
export const CellContext = createContext<Cell | undefined>(undefined)

export function useCell(): Cell | undefined {
  return useContext(CellContext)
}
