// Consent form of the account page, for missing or withdrawn consent.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldMessage } from '#shared/http/api-error.ts'
import { findTickIssue, noTicks } from '#shared/privacy/rules.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { privacyText as text } from '#shared/privacy/text/en.ts'
import { issueIn } from '#shared/text/texts.ts'
import { privacyRoutes } from '#shared/privacy/contract.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { toast } from '#web/lib/toast.ts'
import { refreshConsent } from './api.ts'
import { ConsentFields } from './consent-fields.tsx'

export function ConsentForm() {
  const cache = useQueryClient()
  const [ticks, setTicks] = useState(noTicks)
  const [issue, setIssue] = useState<FieldMessage<string>>()
  const give = useMutation({
    mutationFn: () => call(privacyRoutes.giveConsent, { body: { noticeVersion, isAdult: ticks.isAdult } }),
    onSuccess: async ({ message }) => {
      toast({ kind: 'ok', text: message })
      await refreshConsent(cache)
    },
  })
  const submit = () => {
    const found = issueIn(text, findTickIssue(ticks))
    setIssue(found)
    if (found === undefined && !give.isPending) give.mutate()
  }
  return (
    <Form aria-label={text.consentForm} className="grid max-w-prose gap-4" onSubmit={submit}>
      <ConsentFields
        ticks={ticks}
        issue={issue}
        onTick={(box, isTicked) => {
          setTicks({ ...ticks, [box]: isTicked })
          if (issue?.field === box) setIssue(undefined)
        }}
      />
      <Button type="submit" className="justify-self-start" isBusy={give.isPending}>
        {text.agree}
      </Button>
    </Form>
  )
}
