// Drawing toolbar beside the chart: one tab stop, arrow keys inside, fully usable without a pointer.
import { useRef, useState, useSyncExternalStore, type ComponentProps, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { drawingColours, drawingKinds, type DrawingKind } from '#shared/drawings/drawing.ts'
import { workspaceText } from '#shared/text/en/workspace.ts'
import { cn } from '#web/lib/cn.ts'
import {
  EraserIcon,
  MagnetIcon,
  MinusIcon,
  MoveUpRightIcon,
  PencilRulerIcon,
  PointerIcon,
  RedoIcon,
  RulerIcon,
  SlashIcon,
  SquareIcon,
  TextAlignJustifyIcon,
  TrashIcon,
  TypeIcon,
  UndoIcon,
} from '#web/ui/icon.ts'
import type { DrawingController, DrawingState } from './drawing-controller.ts'

const icon = { 'aria-hidden': true, className: 'size-4', strokeWidth: 1.5 } as const

const kindIcons: Readonly<Record<DrawingKind, ReactNode>> = {
  trend: <SlashIcon {...icon} />,
  ray: <MoveUpRightIcon {...icon} />,
  horizontal: <MinusIcon {...icon} />,
  vertical: <MinusIcon {...icon} className="size-4 rotate-90" />,
  rectangle: <SquareIcon {...icon} />,
  fibonacci: <TextAlignJustifyIcon {...icon} />,
  measure: <RulerIcon {...icon} />,
  text: <TypeIcon {...icon} />,
}

const colourClasses = { accent: 'bg-accent', up: 'bg-up', down: 'bg-down', warn: 'bg-warn', text: 'bg-text' } as const

export interface DrawingToolbarProps {
  readonly board: DrawingController
  readonly onRemoveAll: () => void
  /** Moves the focus to the chart, so that keys move the selected drawing. */
  readonly onKeysToChart: () => void
}

/** On narrow screens collapsed into one button, to leave room for the candles. */
export function DrawingToolbar(props: DrawingToolbarProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="absolute top-10 left-1 z-20 flex max-h-[calc(100%-4.5rem)] flex-col items-start gap-1 in-data-idle:hidden sm:top-14">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={workspaceText.toolsOpen}
        title={workspaceText.toolsOpen}
        onClick={() => setIsOpen(!isOpen)}
        className={cn(toolClass, 'border border-line bg-surface sm:hidden')}
      >
        <PencilRulerIcon {...icon} />
      </button>
      <Tools {...props} className={cn(!isOpen && 'max-sm:hidden')} />
    </div>
  )
}

const toolClass =
  'grid size-7 shrink-0 place-items-center rounded-control text-text-2 transition-colors hover:bg-hover hover:text-text aria-disabled:opacity-50 aria-pressed:bg-hover aria-pressed:text-accent pointer-coarse:size-11'

function Tools({ board, onRemoveAll, onKeysToChart, className }: DrawingToolbarProps & { readonly className: string }) {
  const state = useSyncExternalStore(board.onState, board.state)
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = roved(event.key, current, bar.current?.querySelectorAll('button').length ?? 0)
    if (next === undefined) {
      // Enter presses the focused button.
      if (event.key !== 'Enter' && board.key(event)) event.preventDefault()
      return
    }
    event.preventDefault()
    setCurrent(next)
    bar.current?.querySelectorAll('button')[next]?.focus()
  }
  const tools = toolsOf(state, { board, onRemoveAll, onKeysToChart })
  return (
    // One of its buttons is always in the tab order; the toolbar itself must not be a second tab stop.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      ref={bar}
      role="toolbar"
      aria-label={workspaceText.tools}
      aria-orientation="vertical"
      onKeyDown={onKeyDown}
      className={cn(
        'flex min-h-0 flex-col overflow-y-auto rounded-panel border border-line bg-surface/90 p-0.5 [scrollbar-width:none]',
        className,
      )}
    >
      {tools.map((tool, at) => (
        <Tool key={at} {...tool} tabIndex={at === current ? 0 : -1} onFocus={() => setCurrent(at)} />
      ))}
    </div>
  )
}

function toolsOf(state: DrawingState, { board, onRemoveAll, onKeysToChart }: DrawingToolbarProps): readonly ToolProps[] {
  // A key press has no position on the chart: what it selects or inserts is moved by keys from there.
  const byKey = (act: () => void) => {
    onKeysToChart()
    act()
  }
  return [
    {
      label: workspaceText.toolSelect,
      isOn: state.tool === undefined,
      onPress: (event) => (event.detail === 0 ? byKey(() => board.step(1)) : board.choose(undefined)),
      children: <PointerIcon {...icon} />,
    },
    ...drawingKinds.map((kind) => ({
      label: workspaceText.toolNames[kind],
      isOn: state.tool === kind,
      onPress: (event: MouseEvent) =>
        event.detail === 0 ? byKey(() => board.insert(kind)) : board.choose(state.tool === kind ? undefined : kind),
      children: kindIcons[kind],
    })),
    {
      label: workspaceText.magnet,
      isOn: state.isMagnet,
      onPress: () => board.setMagnet(!state.isMagnet),
      children: <MagnetIcon {...icon} />,
    },
    {
      label: `${workspaceText.colour}: ${workspaceText.colourNames[state.colour]}`,
      onPress: () => board.setColour(nextColour(state.colour)),
      children: <span aria-hidden className={cn('size-3 rounded-full', colourClasses[state.colour])} />,
    },
    {
      label: workspaceText.undo,
      isDisabled: !state.canUndo,
      shortcut: 'Control+Z',
      onPress: () => board.undo(),
      children: <UndoIcon {...icon} />,
    },
    {
      label: workspaceText.redo,
      isDisabled: !state.canRedo,
      shortcut: 'Control+Y',
      onPress: () => board.redo(),
      children: <RedoIcon {...icon} />,
    },
    {
      label: workspaceText.removeSelected,
      isDisabled: state.selected === undefined,
      shortcut: 'Delete',
      onPress: () => board.removeSelected(),
      children: <EraserIcon {...icon} />,
    },
    { label: workspaceText.removeAll, isDisabled: state.count === 0, onPress: onRemoveAll, children: <TrashIcon {...icon} /> },
  ]
}

interface ToolProps {
  readonly label: string
  /** Undefined for buttons that act at once. */
  readonly isOn?: boolean
  readonly isDisabled?: boolean
  readonly shortcut?: string
  readonly onPress: (event: MouseEvent) => void
  readonly children: ReactNode
}

function Tool({
  label,
  isOn,
  isDisabled = false,
  shortcut,
  onPress,
  children,
  ...rest
}: ToolProps & Pick<ComponentProps<'button'>, 'tabIndex' | 'onFocus'>) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      aria-disabled={isDisabled}
      aria-keyshortcuts={shortcut}
      onClick={(event) => {
        if (!isDisabled) onPress(event)
      }}
      className={toolClass}
    >
      {children}
    </button>
  )
}

/** Button index after a navigation key; undefined for other keys. */
function roved(key: string, current: number, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowDown') return (current + 1) % count
  if (key === 'ArrowUp') return (current + count - 1) % count
  return undefined
}

function nextColour(colour: (typeof drawingColours)[number]) {
  return drawingColours[(drawingColours.indexOf(colour) + 1) % drawingColours.length] ?? colour
}
