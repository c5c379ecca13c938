// Import of a holiday list on the Market Data page: upload or paste, preview, then import.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { calendarImportRoutes, type CalendarPreview, type CalendarChange } from '#shared/market-admin/calendar-import-contract.ts'
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import { calendarListText } from '#shared/trading-hours/text/en.ts'
import { calendarTextMax } from '#shared/trading-hours/read-calendar-lists.ts'
import { apiErrorOf, serverMessageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/lib/toast.ts'
import { call } from '#web/lib/api.ts'
import { marketQuery } from './market-query.ts'
import { calendarDate } from './calendar-warnings.ts'

export function CalendarImport() {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setIsOpen(true)}>
        {text.importList}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={text.importList} description={text.importNote} widthClass="max-w-2xl">
        {isOpen && <ImportForm onDone={close} />}
      </Dialog>
    </>
  )
}

function ImportForm({ onDone }: { readonly onDone: () => void }) {
  const [list, setList] = useState('')
  const [preview, setPreview] = useState<{ readonly of: string; readonly lists: readonly CalendarPreview[] }>()
  const queries = useQueryClient()
  const isChecked = preview?.of === list
  const send = useMutation({
    mutationFn: async (isPreview: boolean) => (await call(calendarImportRoutes.importList, { body: { text: list, isPreview } })).data,
    onSuccess: (lists, isPreview) => {
      if (isPreview) return setPreview({ of: list, lists })
      toast({ kind: 'ok', text: calendarListText.imported })
      void queries.invalidateQueries({ queryKey: marketQuery.queryKey })
      return onDone()
    },
  })
  const issue =
    send.error === null ? undefined : (apiErrorOf(send.error)?.fields['text'] ?? serverMessageOf(send.error) ?? text.importFailed)
  return (
    <DialogForm
      submitLabel={isChecked ? text.importNow : text.importPreview}
      isBusy={send.isPending}
      isDisabled={list.trim() === ''}
      onSubmit={() => send.mutate(!isChecked)}
      onCancel={onDone}
    >
      <ListField
        value={list}
        error={issue}
        onChange={(next) => {
          send.reset()
          setList(next.slice(0, calendarTextMax))
        }}
      />
      {isChecked && <CalendarPreviewLists lists={preview.lists} />}
    </DialogForm>
  )
}

interface ListFieldProps {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (next: string) => void
}

function ListField({ value, error, onChange }: ListFieldProps) {
  const id = useId()
  return (
    <div className="grid gap-2">
      <input
        type="file"
        accept=".txt,.csv,text/plain,text/csv"
        aria-label={text.importFile}
        className="text-13 text-text-2 file:mr-3 file:rounded-control file:border file:border-line-strong file:bg-transparent file:px-3 file:py-1.5 file:text-text pointer-coarse:file:min-h-11"
        onChange={(event) => void event.target.files?.[0]?.text().then(onChange, () => onChange(''))}
      />
      <label htmlFor={id} className="text-13 font-medium text-text-2">
        {text.importText}
      </label>
      <textarea
        id={id}
        rows={8}
        spellCheck={false}
        value={value}
        placeholder={text.importExample}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className="w-full rounded-control border border-line-strong bg-canvas px-3 py-2 font-mono text-13 text-text placeholder:text-text-3 aria-invalid:border-danger pointer-coarse:text-16"
      />
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-12 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

const tones = { added: 'text-ok', changed: 'text-warn', removed: 'text-danger', same: 'text-text-3' } as const

/** What a holiday list would change, day by day. */
function CalendarPreviewLists({ lists }: { readonly lists: readonly CalendarPreview[] }) {
  return (
    <div className="grid max-h-72 gap-3 overflow-y-auto rounded-panel border border-line p-3 text-13">
      {lists.map(({ exchange, from, until, source, changes }) => (
        <section key={exchange} aria-label={text.importSpan(exchange.toUpperCase(), calendarDate(from), calendarDate(until))}>
          <h3 className="font-semibold">{text.importSpan(exchange.toUpperCase(), calendarDate(from), calendarDate(until))}</h3>
          <p className="pb-1 text-12 text-text-2">{source}</p>
          <ul className="grid gap-0.5">
            {changes.map((row) => (
              <Change key={row.date} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Change({ row: { date, name, hours, change } }: { readonly row: CalendarChange }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3">
      <span className="w-24 shrink-0 tabular-nums">{calendarDate(date)}</span>
      <span className={`w-16 shrink-0 ${tones[change]}`}>{text.importChanges[change]}</span>
      <span className="min-w-0 flex-1">{name}</span>
      <span className="text-text-2">{hours === 'closed' ? text.importClosed : hours === 'open' ? text.importOpen : hours}</span>
    </li>
  )
}
