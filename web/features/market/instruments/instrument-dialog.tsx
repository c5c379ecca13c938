// The dialog that changes what an instrument shows; changed symbols are looked at in a preview before they are saved.
import { useState, type RefObject } from 'react'
import type { FirstChart } from '#shared/market/engine-choice.ts'
import { findSettingIssue, type AdminInstrument, type InstrumentSetting } from '#shared/market/instruments-contract.ts'
import { widgetSupports, type WidgetSupport } from '#shared/market/widget-support.ts'
import { adminInstrumentsText as text } from '#shared/text/en/admin-instruments.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSaveInstrument } from './instruments-query.ts'
import { checkKey, checksOf, settingOf, trimmed } from './setting-form.ts'
import { SubstituteFields } from './substitute-fields.tsx'
import { useSymbolChecks } from './use-symbol-checks.ts'
import { WidgetPreview } from './widget-preview.tsx'

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
  // What the dialog opened with counts, also when the list behind it is read again.
  const [base] = useState(row)
  const [setting, setSetting] = useState<InstrumentSetting>(() => settingOf(row))
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const [isUnchecked, setIsUnchecked] = useState(false)
  const { current, resultOf, start, finish } = useSymbolChecks()
  const save = useSaveInstrument()
  const checks = checksOf(setting, settingOf(base))
  const isChecked = checks.every((check) => resultOf(check) === 'ready')
  const change = (part: Partial<InstrumentSetting>) => {
    setSetting((before) => ({ ...before, ...part }))
    setIssues({})
  }
  const submit = () => {
    const sent = trimmed(setting)
    const issue = findSettingIssue(sent, base.isFree)
    setIssues(issue === undefined ? {} : { [issue.field]: issue.message })
    if (issue !== undefined || !(isChecked || isUnchecked)) return
    const { slug, version } = base
    save.mutate(
      { slug, setting: sent, version, isChecked },
      { onSuccess: onClose, onError: (error) => setIssues(refusalOf(error)?.fields ?? {}) },
    )
  }
  const firstCharts = [
    { value: '', label: text.firstChartDefault(text.firstCharts[firstChart]) },
    { value: 'tradingview', label: text.firstCharts.tradingview },
    { value: 'tezi', label: text.firstCharts.tezi },
  ]
  return (
    <DialogForm
      submitLabel={text.save}
      isBusy={save.isPending}
      isDisabled={!(isChecked || isUnchecked)}
      busyText={text.saving}
      onSubmit={submit}
      onCancel={onClose}
    >
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
      <SelectField
        label={text.firstChart}
        name="firstChart"
        options={firstCharts}
        value={setting.firstChart ?? ''}
        onChange={(event) => change({ firstChart: event.target.value === '' ? null : (event.target.value as FirstChart) })}
      />
      <CheckboxField
        label={text.visible}
        checked={!setting.isHidden}
        disabled={base.isFree}
        error={issues['isHidden']}
        onChange={(event) => change({ isHidden: !event.target.checked })}
      />
      {checks.length > 0 && (
        <div className="grid gap-2 text-12 text-text-2">
          <p>{text.checkNote}</p>
          <ul aria-live="polite" className="grid gap-1">
            {checks.map((check) => (
              <li key={checkKey(check)}>
                {check.symbol}: <span className="font-medium text-text">{text.results[resultOf(check)]}</span>
              </li>
            ))}
          </ul>
          {current !== undefined && <WidgetPreview key={checkKey(current)} check={current} onResult={finish} />}
          <div className="flex flex-wrap items-center gap-4">
            <Button variant="outline" size="small" isBusy={current !== undefined} onClick={() => start(checks)}>
              {text.check}
            </Button>
            {!isChecked && (
              <CheckboxField label={text.saveUnchecked} checked={isUnchecked} onChange={(event) => setIsUnchecked(event.target.checked)} />
            )}
          </div>
        </div>
      )}
      <div>
        <Button variant="quiet" size="small" onClick={() => change({ ...base.defaults, firstChart: null })}>
          {text.reset}
        </Button>
      </div>
    </DialogForm>
  )
}
