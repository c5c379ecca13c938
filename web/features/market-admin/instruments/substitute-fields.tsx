// Form fields of an instrument's substitutes, in order of preference.
import type { Substitute } from '#shared/chart/chart-choice.ts'
import { adminInstrumentsText as text } from '#shared/instruments/text/en-admin.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { sessionClasses } from '#shared/trading-hours/session-class.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

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

export function SubstituteFields({ substitutes, errorOf, onChange }: SubstituteFieldsProps) {
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
