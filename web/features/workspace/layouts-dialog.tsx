// Saved layouts of the account: save, open, update, rename, delete; and the current layout.
import { useId, useState } from 'react'
import { findInstrument } from '#shared/instruments/instruments.ts'
import { timeframeLabel } from '#shared/candles/timeframe.ts'
import { workspaceText as text } from '#shared/workspace/text/en.ts'
import { findLayoutNameIssue, findNewLayoutIssue, newLayout, screenOf } from '#shared/workspace/new-layout.ts'
import { isDeepEqual } from '#shared/workspace/merge-workspaces.ts'
import { shownCharts, withKnownInstruments, type Screen } from '#shared/workspace/screen.ts'
import { gridSizes, type ChartPlace, type GridSize, type Layout, layoutNameMax } from '#shared/workspace/workspace.ts'
import { changePreferences, usePreferences } from '#web/lib/preferences.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PencilIcon, TrashIcon } from '#web/ui/icon.ts'
import { RowButton } from '#web/ui/row-button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import type { CodeOf } from '#shared/messages/message.ts'
import { formatMessage } from '#shared/text/texts.ts'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export interface LayoutsDialogProps extends ScreenChoicesProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Called with a screen whose instruments are known. */
  readonly onOpen: (screen: Screen) => void
}

export function LayoutsDialog({ isOpen, onClose, onOpen, ...choices }: LayoutsDialogProps) {
  const { layouts, layoutId } = usePreferences(({ workspace }) => workspace)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={text.layouts} description={text.layoutsNote}>
      <div className="grid gap-4">
        <ScreenChoices {...choices} />
        {layouts.length === 0 && <p className="text-13 text-text-2">{text.layoutsNone}</p>}
        <ul className="grid gap-2">
          {layouts.map((layout) => (
            <LayoutRow
              key={layout.id}
              layout={layout}
              layouts={layouts}
              screen={choices.screen}
              isCurrent={layout.id === layoutId}
              onOpen={() => {
                changePreferences((before) => ({ ...before, layoutId: layout.id }))
                onOpen(withKnownInstruments(screenOf(layout)))
                onClose()
              }}
            />
          ))}
        </ul>
        <NewLayoutForm screen={choices.screen} layouts={layouts} />
      </div>
    </Dialog>
  )
}

interface ScreenChoicesProps {
  readonly screen: Screen
  readonly onGrid: (grid: GridSize) => void
  readonly onLinks: (links: Partial<Pick<Screen, 'areSymbolsLinked' | 'areTimeframesLinked' | 'areCrosshairsLinked'>>) => void
}

/** The same controls as in the menu row, for small screens. */
function ScreenChoices({ screen, onGrid, onLinks }: ScreenChoicesProps) {
  return (
    <div className="grid gap-2.5">
      <SelectField
        label={text.onScreen}
        value={String(screen.grid)}
        options={gridSizes.map((size) => ({ value: String(size), label: text.layoutGrids[size] }))}
        onChange={(event) => onGrid(gridSizes.find((size) => String(size) === event.target.value) ?? 1)}
      />
      {screen.grid > 1 && (
        <>
          <p className="text-12 text-pretty text-text-2">{text.gridKeys}</p>
          <CheckboxField
            label={text.linkSymbols}
            checked={screen.areSymbolsLinked}
            onChange={(event) => onLinks({ areSymbolsLinked: event.target.checked })}
          />
          <CheckboxField
            label={text.linkTimeframes}
            checked={screen.areTimeframesLinked}
            onChange={(event) => onLinks({ areTimeframesLinked: event.target.checked })}
          />
          <CheckboxField
            label={text.linkCrosshairs}
            checked={screen.areCrosshairsLinked}
            onChange={(event) => onLinks({ areCrosshairsLinked: event.target.checked })}
          />
        </>
      )}
    </div>
  )
}

function NewLayoutForm({ screen, layouts }: { readonly screen: Screen; readonly layouts: readonly Layout[] }) {
  const add = (name: string) => {
    const made = newLayout(randomUuid(), name, screen)
    changePreferences((before) => ({ ...before, layouts: [...before.layouts, made], layoutId: made.id }))
  }
  return <LayoutNameForm label={text.layoutName} name="" findIssue={(name) => findNewLayoutIssue(layouts, name)} onName={add} />
}

interface LayoutRowProps {
  readonly layout: Layout
  readonly layouts: readonly Layout[]
  readonly screen: Screen
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

function LayoutRow({ layout, layouts, screen, isCurrent, onOpen }: LayoutRowProps) {
  const id = useId()
  const [isRenaming, setIsRenaming] = useState(false)
  const change = (next: Layout) =>
    changePreferences((before) => ({ ...before, layouts: before.layouts.map((one) => (one.id === next.id ? next : one)) }))
  const remove = () =>
    changePreferences((before) => ({
      ...before,
      layouts: before.layouts.filter((one) => one.id !== layout.id),
      layoutId: before.layoutId === layout.id ? null : before.layoutId,
    }))
  return (
    <li className="group rounded-panel border border-line p-3" aria-labelledby={id} aria-current={isCurrent ? 'true' : undefined}>
      {isRenaming ? (
        <LayoutNameForm
          label={text.layoutRenameField(layout.name)}
          name={layout.name}
          findIssue={(name) => findLayoutNameIssue(layouts, name, layout.id)}
          onName={(name) => {
            change({ ...layout, name: name.trim() })
            setIsRenaming(false)
          }}
        />
      ) : (
        <div className="flex items-center gap-1">
          <div className="min-w-0 flex-1">
            <p id={id} className="truncate text-13 font-medium">
              {layout.name}
            </p>
            <p className="truncate text-12 text-text-2">
              {shownCharts(layout)
                .map(({ chart }) => placeText(chart))
                .join(', ')}
            </p>
          </div>
          <RowButton label={text.layoutRename(layout.name)} onClick={() => setIsRenaming(true)}>
            <PencilIcon aria-hidden className="size-3.5" strokeWidth={1.5} />
          </RowButton>
          <RowButton label={text.layoutRemove(layout.name)} onClick={remove}>
            <TrashIcon aria-hidden className="size-3.5" strokeWidth={1.5} />
          </RowButton>
          {isCurrent && !isDeepEqual(screenOf(layout), screen) && (
            <Button
              size="small"
              variant="outline"
              aria-label={text.layoutUpdate(layout.name)}
              onClick={() => change(newLayout(layout.id, layout.name, screen))}
            >
              {text.layoutUpdateShort}
            </Button>
          )}
          <Button size="small" variant="outline" aria-label={text.layoutOpen(layout.name)} onClick={onOpen}>
            {text.layoutOpenShort}
          </Button>
        </div>
      )}
    </li>
  )
}

function placeText({ slug, timeframe }: ChartPlace): string {
  return `${findInstrument(slug)?.label ?? slug} ${timeframeLabel(timeframe)}`
}

interface LayoutNameFormProps {
  readonly label: string
  readonly name: string
  /** Returns the code of a message for an invalid name. */
  readonly findIssue: (name: string) => CodeOf<'workspace', typeof text> | undefined
  readonly onName: (name: string) => void
}

/** Starts with `name`, and resets to it after a submit. */
function LayoutNameForm({ label, name, findIssue, onName }: LayoutNameFormProps) {
  const [typed, setTyped] = useState(name)
  const [issue, setIssue] = useState<string>()
  const submit = () => {
    const found = findIssue(typed)
    setIssue(found === undefined ? undefined : formatMessage(text, { code: found }))
    if (found !== undefined) return
    onName(typed)
    setTyped(name)
  }
  return (
    <Form className="flex items-start gap-2" onSubmit={submit}>
      <TextField
        label={label}
        value={typed}
        maxLength={layoutNameMax}
        error={issue}
        onChange={(event) => setTyped(event.target.value)}
        className="flex-1"
      />
      <Button type="submit" className="mt-7 h-10">
        {text.layoutSave}
      </Button>
    </Form>
  )
}
