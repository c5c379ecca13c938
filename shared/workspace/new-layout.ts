// Rules of named layouts: names, and conversion from and to a screen.
import type { workspaceText } from '#shared/workspace/text/en.ts'
import type { CodeOf } from '#shared/messages/message.ts'
import { layoutNameMax, layoutsMax, type Layout } from './workspace.ts'
import type { Screen } from './screen.ts'

type WorkspaceCode = CodeOf<'workspace', typeof workspaceText>

/** Why a layout cannot have this name, as the code of a message, or undefined. `own` is the layout being renamed. */
export function findLayoutNameIssue(layouts: readonly Layout[], name: string, own?: string): WorkspaceCode | undefined {
  const trimmed = name.trim().toLowerCase()
  if (trimmed === '') return 'workspace.layoutNameMissing'
  return layouts.some((layout) => layout.id !== own && layout.name.toLowerCase() === trimmed) ? 'workspace.layoutNameTaken' : undefined
}

/** Why no new layout of this name can be created, or undefined. */
export function findNewLayoutIssue(layouts: readonly Layout[], name: string): WorkspaceCode | undefined {
  return layouts.length >= layoutsMax ? 'workspace.layoutsFull' : findLayoutNameIssue(layouts, name)
}

export function newLayout(id: string, name: string, screen: Screen): Layout {
  return { ...screen, id, name: name.trim().slice(0, layoutNameMax) }
}

/** The screen of a layout. */
export function screenOf({ grid, areSymbolsLinked, areTimeframesLinked, areCrosshairsLinked, active, charts }: Layout): Screen {
  return { grid, areSymbolsLinked, areTimeframesLinked, areCrosshairsLinked, active, charts }
}
