// The rules of named layouts: their names, and how one is made of a screen and opened again.
import { workspaceText } from '#shared/text/en/workspace.ts'
import { layoutNameMax, layoutsMax, type Layout, type Screen } from './workspace.ts'

/** Why a layout cannot have this name, as a sentence, or undefined. `own` is the layout that is renamed. */
export function findNameFault(layouts: readonly Layout[], name: string, own?: string): string | undefined {
  const wanted = name.trim().toLowerCase()
  if (wanted === '') return workspaceText.layoutNameMissing
  return layouts.some((layout) => layout.id !== own && layout.name.toLowerCase() === wanted) ? workspaceText.layoutNameTaken : undefined
}

/** Why there can be no new layout of this name, or undefined. */
export function findNewLayoutFault(layouts: readonly Layout[], name: string): string | undefined {
  return layouts.length >= layoutsMax ? workspaceText.layoutsFull : findNameFault(layouts, name)
}

export function newLayout(id: string, name: string, screen: Screen): Layout {
  return { ...screen, id, name: name.trim().slice(0, layoutNameMax) }
}

/** The screen that a layout keeps. */
export function screenOf({ grid, areSymbolsLinked, areTimeframesLinked, areCrosshairsLinked, active, charts }: Layout): Screen {
  return { grid, areSymbolsLinked, areTimeframesLinked, areCrosshairsLinked, active, charts }
}
