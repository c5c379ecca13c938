// Drawing toolbar beside the chart: one tab stop, arrow keys inside, fully usable without a pointer.
import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { drawingColours, drawingKinds, type DrawingKind } from '#shared/drawings/drawing.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { cn } from '#web/lib/cn.ts'
import {
  EraserIcon,
  MagnetIcon,
  MinusIcon,
  MoveUpRightIcon,
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
import { useScrollEnds } from '#web/ui/scroll-ends.ts'
import type { DrawingController, DrawingState } from './drawing-controller.ts'
import { ScrollSign } from '#web/ui/scroll-row.tsx'

/** About four tools. */
const scrollPx = 120

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

const toolClass =
  'grid size-7 shrink-0 place-items-center rounded-control text-text-2 transition-colors hover:bg-hover hover:text-text aria-disabled:opacity-50 aria-pressed:bg-hover aria-pressed:text-accent pointer-coarse:size-11'

const colourClasses = { accent: 'bg-accent', up: 'bg-up', down: 'bg-down', warn: 'bg-warn', text: 'bg-text' } as const

export interface DrawingToolbarProps {
  readonly board: DrawingController
  /** Vertical beside the chart, horizontal below it. */
  readonly orientation: 'vertical' | 'horizontal'
  readonly onRemoveAll: () => void
  /** Moves the focus to the chart, so that keys move the selected drawing. */
  readonly onKeysToChart: () => void
  /** Called with the icon of the armed tool; undefined for none. */
  readonly onArm: (icon: Element | undefined) => void
}

const looks = {
  vertical: { axis: 'y', box: 'h-full', bar: 'h-full flex-col scroll-py-8 overflow-y-auto py-1' },
  horizontal: { axis: 'x', box: 'w-full', bar: 'w-full scroll-px-8 overflow-x-auto px-1' },
} as const

/** Fills its place; a fade with an arrow shows that there are more tools, and scrolls to them. */
export function DrawingToolbar({ onArm, ...props }: DrawingToolbarProps) {
  const { board, orientation } = props
  const { axis, box, bar: barClass } = looks[orientation]
  const state = useSyncExternalStore(board.onState, board.state)
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const { hasBefore, hasAfter } = useScrollEnds(bar, axis)
  const all = toolsOf(state, props)
  // Undo and redo are always in sight on phones, which have no keys for them.
  const tools = orientation === 'horizontal' ? [...all.filter(isHistory), ...all.filter((tool) => !isHistory(tool))] : all
  useEffect(() => {
    onArm(state.tool === undefined ? undefined : (bar.current?.querySelector(`[data-tool=${state.tool}] svg`) ?? undefined))
    return () => onArm(undefined)
  }, [onArm, state.tool])
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
  const scroll = (direction: 1 | -1) => {
    const by = direction * scrollPx
    bar.current?.scrollBy(axis === 'x' ? { left: by } : { top: by })
  }
  return (
    <div className={cn('relative', box)}>
      {/* One of its buttons is always in the tab order; the toolbar itself must not be a second tab stop. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={bar}
        role="toolbar"
        aria-label={workspaceText.tools}
        aria-orientation={orientation}
        onKeyDown={onKeyDown}
        className={cn('flex items-center gap-0.5 [scrollbar-width:none]', barClass)}
      >
        {tools.map((tool, at) => (
          <Tool key={at} {...tool} tabIndex={at === current ? 0 : -1} onFocus={() => setCurrent(at)} />
        ))}
      </div>
      {hasBefore && <ScrollSign axis={axis} direction={-1} onPress={() => scroll(-1)} />}
      {hasAfter && <ScrollSign axis={axis} direction={1} onPress={() => scroll(1)} />}
    </div>
  )
}

function isHistory({ shortcut }: ToolProps): boolean {
  return shortcut?.startsWith('Control') === true
}

function toolsOf(
  state: DrawingState,
  { board, onRemoveAll, onKeysToChart }: Pick<DrawingToolbarProps, 'board' | 'onRemoveAll' | 'onKeysToChart'>,
): readonly ToolProps[] {
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
      kind,
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
  readonly kind?: DrawingKind
  readonly label: string
  /** Undefined for buttons that act at once. */
  readonly isOn?: boolean
  readonly isDisabled?: boolean
  readonly shortcut?: string
  readonly onPress: (event: MouseEvent) => void
  readonly children: ReactNode
}

function Tool({
  kind,
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
      data-tool={kind}
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
  if (key === 'ArrowDown' || key === 'ArrowRight') return (current + 1) % count
  if (key === 'ArrowUp' || key === 'ArrowLeft') return (current + count - 1) % count
  return undefined
}

function nextColour(colour: (typeof drawingColours)[number]) {
  return drawingColours[(drawingColours.indexOf(colour) + 1) % drawingColours.length] ?? colour
}
