// Dialog to edit an instrument's settings; changed symbols must pass a preview before they are saved.
import { type RefObject, useState, useEffect, useRef, useCallback } from 'react'
import type { FirstChart, Substitute } from '#shared/chart/chart-choice.ts'
import { type AdminInstrument, findSettingIssue, type InstrumentSetting } from '#shared/instruments/admin-instrument-contract.ts'
import { freeSlug } from '#shared/instruments/instruments.ts'
import { widgetSupports, type WidgetSupport } from '#shared/chart/widget-support.ts'
import { adminInstrumentsText as text, instrumentsText } from '#shared/instruments/text/en-admin.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { DialogForm, FormDialog } from '#web/ui/dialog-form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { checkKey, settingOf, normalizeSetting, type CheckResult, type SymbolCheck, checksOf } from './rules.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { sessionClasses } from '#shared/trading-hours/session-class.ts'
import { issueIn } from '#shared/text/texts.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { useSaveInstrument } from './instruments-query.ts'
import { browserZone } from '#web/features/market-data/browser-zone.ts'
import { widgetEngine } from '#web/features/chart/engines/widget.ts'

interface InstrumentDialogProps {
  /** Undefined while the dialog is closed. */
  readonly row: AdminInstrument | undefined
  /** The server's setting CHART_FIRST. */
  readonly firstChart: FirstChart
  readonly onClose: () => void
}

export function InstrumentDialog({ row, firstChart, onClose }: InstrumentDialogProps) {
  return (
    <FormDialog isOpen={row !== undefined} onClose={onClose} title={text.title(row?.label ?? '')} widthClass="max-w-xl">
      {(field) => row !== undefined && <InstrumentForm key={row.slug} field={field} row={row} firstChart={firstChart} onClose={onClose} />}
    </FormDialog>
  )
}

interface InstrumentFormProps extends InstrumentDialogProps {
  readonly row: AdminInstrument
  readonly field: RefObject<HTMLInputElement | null>
}

const widgetOptions = widgetSupports.map((value) => ({ value, label: text.widgetOptions[value] }))

function InstrumentForm({ row, firstChart, field, onClose }: InstrumentFormProps) {
  const { base, setting, issues, checks, canSave, isBusy, change, submit } = useInstrumentForm(row, onClose)
  return (
    <DialogForm submitLabel={text.save} isBusy={isBusy} isDisabled={!canSave} busyText={text.saving} onSubmit={submit} onCancel={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          ref={field}
          label={text.symbol}
          name="symbol"
          value={setting.symbol}
          error={issues['symbol']}
          onChange={(event) => change({ symbol: event.target.value })}
        />
        <SelectField
          label={text.widget}
          name="widget"
          options={widgetOptions}
          value={setting.widget}
          onChange={(event) => change({ widget: event.target.value as WidgetSupport })}
        />
      </div>
      <SubstituteFields
        substitutes={setting.substitutes}
        errorOf={(name) => issues[name]}
        onChange={(substitutes) => change({ substitutes })}
      />
      <FirstChartSelect byDefault={firstChart} value={setting.firstChart} onChange={(chosen) => change({ firstChart: chosen })} />
      <CheckboxField
        label={text.visible}
        checked={!setting.isHidden}
        disabled={base.slug === freeSlug}
        error={issues['isHidden']}
        onChange={(event) => change({ isHidden: !event.target.checked })}
      />
      {checks.required.length > 0 && <SymbolPreviews checks={checks} />}
      <div>
        <Button variant="quiet" size="small" onClick={() => change({ ...base.defaults, firstChart: null })}>
          {text.reset}
        </Button>
      </div>
    </DialogForm>
  )
}

interface FirstChartSelectProps {
  /** The server's setting CHART_FIRST. */
  readonly byDefault: FirstChart
  readonly value: FirstChart | null
  readonly onChange: (chosen: FirstChart | null) => void
}

function FirstChartSelect({ byDefault, value, onChange }: FirstChartSelectProps) {
  const options = [
    { value: '', label: text.firstChartDefault(text.firstCharts[byDefault]) },
    { value: 'tradingview', label: text.firstCharts.tradingview },
    { value: 'tezi', label: text.firstCharts.tezi },
  ]
  return (
    <SelectField
      label={text.firstChart}
      name="firstChart"
      options={options}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : (event.target.value as FirstChart))}
    />
  )
}

/** Checks of changed symbols: results, the running preview, and the choice to save without them. */
function SymbolPreviews({ checks }: { readonly checks: SymbolChecks }) {
  const { required, arePassed, areSkipped, skip, current, resultOf, start, finish } = checks
  return (
    <div className="grid gap-2 text-12 text-text-2">
      <p>{text.checkNote}</p>
      <ul aria-live="polite" className="grid gap-1">
        {required.map((check) => (
          <li key={checkKey(check)}>
            {check.symbol}: <span className="font-medium text-text">{text.results[resultOf(check)]}</span>
          </li>
        ))}
      </ul>
      {current !== undefined && <WidgetPreview key={checkKey(current)} check={current} onResult={finish} />}
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="outline" size="small" isBusy={current !== undefined} onClick={start}>
          {text.check}
        </Button>
        {!arePassed && <CheckboxField label={text.saveUnchecked} checked={areSkipped} onChange={(event) => skip(event.target.checked)} />}
      </div>
    </div>
  )
}

const max = 4
const hours = [
  { value: '', label: text.unknownHours },
  ...sessionClasses.map((value) => ({ value, label: adminMarketText.sessionClassNames[value] })),
]
const options = (['live', 'end-of-day'] as const).map((value) => ({ value, label: text.widgetOptions[value] }))

interface SubstituteFieldsProps {
  readonly substitutes: readonly Substitute[]
  readonly errorOf: (field: string) => string | undefined
  readonly onChange: (next: Substitute[]) => void
}

function SubstituteFields({ substitutes, errorOf, onChange }: SubstituteFieldsProps) {
  const change = (at: number, part: Partial<Substitute>) =>
    onChange(substitutes.map((substitute, index) => (index === at ? { ...substitute, ...part } : substitute)))
  return (
    <>
      {substitutes.map((substitute, at) => (
        <fieldset key={at} className="grid gap-3 rounded-panel border border-line p-3 sm:grid-cols-2">
          <legend className="px-1 text-12 text-text-2">{text.substitute(at + 1)}</legend>
          <TextField
            label={text.substituteSymbol(at + 1)}
            name={`substitutes.${at}.symbol`}
            value={substitute.symbol}
            error={errorOf(`substitutes.${at}.symbol`)}
            onChange={(event) => change(at, { symbol: event.target.value })}
          />
          <SelectField
            label={text.substituteWidget(at + 1)}
            name={`substitutes.${at}.widget`}
            options={options}
            value={substitute.widget}
            onChange={(event) => change(at, { widget: event.target.value as Substitute['widget'] })}
          />
          <TextField
            label={text.substituteTitle(at + 1)}
            name={`substitutes.${at}.title`}
            maxLength={60}
            value={substitute.title}
            error={errorOf(`substitutes.${at}.title`)}
            onChange={(event) => change(at, { title: event.target.value })}
          />
          <SelectField
            label={text.substituteHours(at + 1)}
            name={`substitutes.${at}.sessionClass`}
            options={hours}
            value={substitute.sessionClass ?? ''}
            onChange={(event) => change(at, { sessionClass: sessionClasses.find((known) => known === event.target.value) ?? null })}
          />
          <div>
            <Button variant="quiet" size="small" onClick={() => onChange(substitutes.filter((_, index) => index !== at))}>
              {text.remove(at + 1)}
            </Button>
          </div>
        </fieldset>
      ))}
      {substitutes.length < max && (
        <div>
          <Button
            variant="outline"
            size="small"
            onClick={() => onChange([...substitutes, { symbol: '', title: '', widget: 'live', sessionClass: null }])}
          >
            {text.add}
          </Button>
        </div>
      )}
    </>
  )
}

function useInstrumentForm(row: AdminInstrument, onSaved: () => void) {
  // Keep the initial row, also when the list behind the dialog is refetched.
  const [base] = useState(row)
  const [setting, setSetting] = useState<InstrumentSetting>(() => settingOf(row))
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const checks = useSymbolChecks(setting, settingOf(base))
  const save = useSaveInstrument()
  const canSave = checks.arePassed || checks.areSkipped
  return {
    base,
    setting,
    /** Error messages by field. */
    issues,
    checks,
    canSave,
    isBusy: save.isPending,
    change: (part: Partial<InstrumentSetting>) => {
      setSetting((before) => ({ ...before, ...part }))
      setIssues({})
    },
    submit: () => {
      const sent = normalizeSetting(setting)
      const issue = issueIn(instrumentsText, findSettingIssue(sent, base.slug))
      setIssues(issue === undefined ? {} : { [issue.field]: issue.message })
      if (issue !== undefined || !canSave) return
      const { slug, version } = base
      save.mutate(
        { slug, setting: sent, version, isChecked: checks.arePassed },
        { onSuccess: onSaved, onError: (error) => setIssues(apiErrorOf(error)?.fields ?? {}) },
      )
    },
  }
}

const answerMs = 10_000
/** The frame reports missing candles only after it has loaded. */
const settleMs = 2_000

const engine = widgetEngine('iframe')

interface WidgetPreviewProps {
  readonly check: SymbolCheck
  readonly onResult: (check: SymbolCheck, result: CheckResult) => void
}

/** Fixed symbol for the life of the component. */
function WidgetPreview({ check, onResult }: WidgetPreviewProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return undefined
    let settle: ReturnType<typeof setTimeout> | undefined
    const timeout = setTimeout(() => onResult(check, 'no-answer'), answerMs)
    const view = { ...check, zone: browserZone, studies: [], title: text.preview(check.symbol) }
    const stop = engine.mount(host.current, view, (report) => {
      clearTimeout(timeout)
      if (report === 'loaded') settle ??= setTimeout(() => onResult(check, 'ready'), settleMs)
      else {
        clearTimeout(settle)
        onResult(check, report === 'no-data' ? 'no-data' : 'no-answer')
      }
    })
    return () => {
      clearTimeout(timeout)
      clearTimeout(settle)
      stop()
    }
  }, [check, onResult])
  return <div ref={host} className="h-56 overflow-hidden rounded-control border border-line" />
}

interface SymbolChecks {
  /** Checks that must pass before the setting is saved. */
  readonly required: readonly SymbolCheck[]
  readonly arePassed: boolean
  /** The admin saves without them. */
  readonly areSkipped: boolean
  readonly skip: (areSkipped: boolean) => void
  /** Symbol in the preview now. */
  readonly current: SymbolCheck | undefined
  readonly resultOf: (check: SymbolCheck) => CheckResult
  /** Starts with the first check that has not passed. */
  readonly start: () => void
  readonly finish: (check: SymbolCheck, result: CheckResult) => void
}

function useSymbolChecks(setting: InstrumentSetting, saved: InstrumentSetting): SymbolChecks {
  const [results, setResults] = useState<ReadonlyMap<string, CheckResult>>(new Map())
  const [queue, setQueue] = useState<readonly SymbolCheck[]>([])
  const [areSkipped, skip] = useState(false)
  const finish = useCallback((check: SymbolCheck, result: CheckResult) => {
    setResults((before) => new Map([...before, [checkKey(check), result]]))
    setQueue((before) => before.filter((other) => checkKey(other) !== checkKey(check)))
  }, [])
  const current = queue[0]
  const required = checksOf(setting, saved)
  const resultOf = (check: SymbolCheck) => {
    if (current !== undefined && checkKey(current) === checkKey(check)) return 'loading'
    return results.get(checkKey(check)) ?? 'waiting'
  }
  return {
    required,
    arePassed: required.every((check) => resultOf(check) === 'ready'),
    areSkipped,
    skip,
    current,
    resultOf,
    start: () => setQueue(required.filter((check) => results.get(checkKey(check)) !== 'ready')),
    finish,
  }
}
