// The step of consent: the notice to read, the age, and the agreement; wherever it is asked for.
import type { Fault } from '#shared/auth/rules.ts'
import type { ConsentTicks } from '#shared/privacy/consent.ts'
import { noticePath } from '#shared/privacy/notice.ts'
import { privacyText as text } from '#shared/text/en/privacy.ts'
import { site } from '#web/lib/site.ts'
import { CheckboxField } from './checkbox-field.tsx'

export interface ConsentTicksFieldsProps {
  readonly ticks: ConsentTicks
  readonly fault: Fault<string> | undefined
  readonly onTick: (box: keyof ConsentTicks, isTicked: boolean) => void
}

/** Two boxes, both empty until somebody ticks them. The notice opens beside the form, so that nothing typed is lost. */
export function ConsentTicksFields({ ticks, fault, onTick }: ConsentTicksFieldsProps) {
  const bind = (box: keyof ConsentTicks) => ({
    name: box,
    checked: ticks[box],
    error: fault?.field === box ? fault.message : undefined,
    required: true,
    onChange: (event: { readonly target: { readonly checked: boolean } }) => onTick(box, event.target.checked),
  })
  return (
    <fieldset className="grid gap-3 border-t border-line pt-4">
      <legend className="sr-only">{text.consentTitle}</legend>
      <CheckboxField {...bind('isAdult')} label={text.adultLabel} />
      <CheckboxField {...bind('isAgreed')} label={text.agreementLabel} />
      <p className="text-12 text-pretty text-text-3">
        {text.consentItems(site.brandName)} {text.consentHint}{' '}
        <a
          href={noticePath}
          target="_blank"
          rel="noreferrer"
          className="rounded-control text-accent underline underline-offset-2 pointer-coarse:py-3"
        >
          {text.noticeLink}
        </a>
      </p>
    </fieldset>
  )
}
