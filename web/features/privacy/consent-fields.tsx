// Consent fields: link to the privacy notice, age, and agreement.
import type { FieldMessage } from '#shared/http/api-error.ts'
import type { ConsentTicks } from '#shared/privacy/rules.ts'
import { noticePath } from '#shared/privacy/notice-version.ts'
import { privacyText as text } from '#shared/privacy/text/en.ts'
import { site } from '#web/lib/site.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'

export interface ConsentFieldsProps {
  readonly ticks: ConsentTicks
  readonly issue: FieldMessage<string> | undefined
  readonly onTick: (box: keyof ConsentTicks, isTicked: boolean) => void
}

/** Two checkboxes, unchecked at first. The notice opens in a new tab, so that typed values are not lost. */
export function ConsentFields({ ticks, issue, onTick }: ConsentFieldsProps) {
  const bind = (box: keyof ConsentTicks) => ({
    name: box,
    checked: ticks[box],
    error: issue?.field === box ? issue.message : undefined,
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
