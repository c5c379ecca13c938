// Keyboard commands for drawings.
import type { Nudge } from './edit.ts'

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

export type DrawingCommand =
  | { readonly kind: 'remove' | 'cancel' | 'undo' | 'redo' | 'next-part' }
  /** The next drawing, or the previous one for -1. */
  | { readonly kind: 'select'; readonly step: 1 | -1 }
  | { readonly kind: 'nudge'; readonly by: Nudge }

const directions: Readonly<Record<string, Nudge>> = {
  ArrowLeft: { bars: -1, ticks: 0 },
  ArrowRight: { bars: 1, ticks: 0 },
  ArrowUp: { bars: 0, ticks: 1 },
  ArrowDown: { bars: 0, ticks: -1 },
}

const largeStep = 10

/**
 * The command of a key: Ctrl-Z and Ctrl-Y (or Shift-Ctrl-Z; Cmd likewise) and D always, the others only while a drawing is
 * selected or in progress, because the chart uses them itself.
 */
export function commandOf(press: KeyPress, has: { readonly selection: boolean; readonly draft: boolean }): DrawingCommand | undefined {
  if (press.altKey) return undefined
  if (press.ctrlKey || press.metaKey) {
    const key = press.key.toLowerCase()
    if (key === 'z') return { kind: press.shiftKey ? 'redo' : 'undo' }
    return key === 'y' ? { kind: 'redo' } : undefined
  }
  if (press.key === 'd' || press.key === 'D') return { kind: 'select', step: press.shiftKey ? -1 : 1 }
  if (press.key === 'Escape') return has.selection || has.draft ? { kind: 'cancel' } : undefined
  if (!has.selection) return undefined
  if (press.key === 'Delete' || press.key === 'Backspace') return { kind: 'remove' }
  // Cycles which endpoint the arrow keys move.
  if (press.key === 'Enter') return { kind: 'next-part' }
  const direction = Object.hasOwn(directions, press.key) ? directions[press.key] : undefined
  if (direction === undefined) return undefined
  const factor = press.shiftKey ? largeStep : 1
  return { kind: 'nudge', by: { bars: direction.bars * factor, ticks: direction.ticks * factor } }
}
