// Checks of changed symbols: results, the running preview, and the choice to save without them.
import { adminInstrumentsText as text } from '#shared/text/en/admin-instruments.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { checkKey } from './rules.ts'
import type { SymbolChecks } from './use-symbol-checks.ts'
import { WidgetPreview } from './widget-preview.tsx'

export function SymbolPreviews({ checks }: { readonly checks: SymbolChecks }) {
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
