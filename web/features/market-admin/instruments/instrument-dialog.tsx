// Dialog to edit an instrument's settings; changed symbols must pass a preview before they are saved.
import type { RefObject } from 'react'
import type { FirstChart } from '#shared/chart/chart-choice.ts'
import type { AdminInstrument } from '#shared/instruments/admin-instrument-contract.ts'
import { freeSlug } from '#shared/instruments/instruments.ts'
import { widgetSupports, type WidgetSupport } from '#shared/chart/widget-support.ts'
import { adminInstrumentsText as text } from '#shared/instruments/text/en-admin.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { DialogForm } from '#web/ui/dialog-form.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { SubstituteFields } from './substitute-fields.tsx'
import { useInstrumentForm } from './use-instrument-form.ts'
import { checkKey } from './rules.ts'
import type { SymbolChecks } from './use-symbol-checks.ts'
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
